articles-search = Mots
articles-status = État
articles-niche = Niche
articles-all = Tous
articles-show = Afficher
articles-count = { $count ->
    [one] Un article
   *[other] { $count } articles
}
articles-pages = Pages
articles-newer = Plus récents
articles-older = Plus anciens
articles-page = Page { $page } sur { $pages }
articles-writing = Rédigé à { $percent } %
articles-progress = Avancement de la rédaction
articles-failed = L’article n’a pas pu être rédigé.
articles-reload = Recharger cette page
articles-words = { $count ->
    [one] un mot
   *[other] { $count } mots
}
articles-edit = Modifier le texte
articles-supported = { $share } des { $count } phrases sont étayées par leur source.
articles-passages = Les passages sur lesquels reposent les phrases
articles-sentence = Phrase { $number }
articles-no-passage = Aucun passage n’est cité.
articles-missing-facts = Absent du passage : { $facts }
articles-text = Texte
articles-text-hint = Markdown. Les renvois comme [1] mènent aux sources ; les phrases que vous modifiez sont vérifiées de nouveau.
articles-save = Enregistrer
articles-cancel = Annuler
articles-edit-overtaken = Quelqu’un d’autre a enregistré cet article pendant que vous le modifiiez. Votre texte est conservé ci-dessous ; le sien figure en dessous. Réunissez-les, puis enregistrez.
articles-theirs = Le texte tel qu’il est maintenant
grounding-full = Entièrement étayé.
grounding-partial = Étayé en partie.
grounding-none = Rédigé sans source.
verdict-supported = étayée
verdict-unsupported = non étayée
verdict-outOfContext = hors contexte
verdict-unsourced = sans source
articles-parts = L’article
articles-review = Validation et commentaires
articles-versions = Versions
articles-passages-hint = Choisissez une phrase pour voir sur quoi elle repose.
articles-dated = Daté du { $date }.
articles-not-checked = Cette phrase n’est pas vérifiée : l’article n’a pas de source.
articles-out-of-context = Le passage le dit d’autre chose que ce que le lecteur comprendrait.
articles-reviewed = { $reviewed } des { $count } phrases ont été relues par une personne.
articles-reviewed-by = Relue par
articles-mark = Je l’ai relue
articles-all-reviewed = J’ai relu toutes les phrases
articles-comment = Examiner ou commenter
articles-comments = { $count ->
    [one] Un commentaire ouvert
   *[other] { $count } commentaires ouverts
}
articles-doubtful = { $count ->
    [one] Une phrase à examiner
   *[other] { $count } phrases à examiner
}
articles-back-to-text = Retour au texte
articles-delete = Supprimer
articles-delete-title = Supprimer « { $title } » ?
articles-delete-text = Le texte disparaît avec ses versions, ses commentaires et son relevé de sources. C’est définitif.
articles-delete-posts = { $count ->
    [one] Sa publication sur une cible y reste : retirez-la d’abord si elle doit disparaître.
   *[other] Ses { $count } publications sur des cibles y restent : retirez-les d’abord si elles doivent disparaître.
}
articles-delete-yes = Supprimer définitivement
approval-title = Validation
approval-none = pas encore demandée
approval-inReview = en attente de validation
approval-approved = validé
approval-changesRequested = renvoyé
approval-lapsed = Le texte a été modifié après sa validation.
approval-required = Dans cette niche, rien ne sort sans validation.
approval-not-required = Dans cette niche, les articles peuvent sortir sans validation.
approval-approvers = Peuvent valider :
approval-submit = Demander la validation
approval-approve = Valider ce texte
approval-send-back = Renvoyer
approval-send-back-now = Renvoyer avec ce motif
approval-reason = Que faut-il changer ?
approval-not-yours = Vous pouvez lire et commenter ; la validation revient aux personnes nommées ci-dessus.
approval-no-text = Il n’y a pas encore de texte à valider.
role-owner = propriétaires
role-admin = administrateurs
role-editor = rédacteurs
role-viewer = lecteurs
comments-title = Commentaires
comments-which = Quels commentaires
comments-open = Ouverts
comments-resolved = Résolus
comments-all = Tous
comments-how = Les commentaires portent sur des phrases : choisissez-en une dans le texte pour en écrire un.
comments-none = Il n’y en a aucun.
comments-gone = (cette phrase n’est plus dans le texte)
comments-resolved-by = Résolu par
comments-reply = Répondre
comments-your-reply = Votre réponse
comments-send = Envoyer
comments-resolve = Marquer comme résolu
comments-reopen = Rouvrir
comments-delete = Supprimer
comments-delete-title = Supprimer ce commentaire ?
comments-delete-text = Ses réponses disparaissent avec lui. C’est définitif.
comments-delete-yes = Supprimer définitivement
comments-yours = Votre commentaire
comments-add = Commenter
comments-typed = Ce que vous avez saisi
versions-number = Version { $number }
versions-by = par
versions-present = le texte actuel
versions-approved = validée par
versions-published = publiée pour la première fois le { $at }
versions-read = La lire
versions-changed = Ce qui a changé
versions-restore = Rétablir ce texte
versions-none = Aucune modification du texte n’a encore été conservée.
versions-all = Toutes les versions
versions-from = De
versions-to = À
versions-compare = Comparer
versions-changes = De la version { $before } à la version { $after }
versions-marks = Barré : les mots supprimés. Souligné : les mots ajoutés.
versions-markup = Les phrases sont les mêmes ; seule la mise en forme diffère.
versions-same = Les textes sont identiques.
cause-generated = rédigée
cause-edited = modifiée
cause-patched = quelques phrases changées
cause-updated = mise à jour d’après ses sources
cause-translated = traduite
cause-restored = rétablie d’après une version antérieure
cause-earlier = telle qu’elle était avant
note-submitted = Les personnes qui valident sont sollicitées.
note-approved = Validé : ce texte peut sortir.
note-sent-back = Renvoyé avec votre motif.
note-reviewed = Marqué comme relu.
note-commented = C’est dit.
note-resolved = Le commentaire est résolu.
note-reopened = Le commentaire est rouvert.
note-comment-deleted = Le commentaire est supprimé.
note-restored = L’ancien texte est rétabli. Ce qu’il disait avant reste une version.
note-article-deleted = L’article est supprimé.
