articles-search = Mots
articles-status = État
articles-niche = Niche
articles-all = Tous
articles-show = Afficher
articles-count = { $count ->
    [0] Aucun article
    [one] Un article
   *[other] { $count } articles
}
articles-pages = Pages
articles-newer = Plus récents
articles-older = Plus anciens
articles-page = Page { $page } sur { $pages }
articles-writing = Rédigé à { $percent } %
articles-waiting = { $parts ->
    [one] Une partie attend les réponses d’un lot, qui arrivent en moins d’un jour.
   *[other] { $parts } parties attendent les réponses d’un lot, qui arrivent en moins d’un jour.
}
articles-away = Le modèle ne répond pas. La rédaction reprendra d’elle-même dès son retour, jusqu’au { $until } au plus tard.
articles-progress = Avancement de la rédaction
articles-failed = L’article n’a pas pu être rédigé.
articles-reload = Recharger cette page
articles-words = { $count ->
    [0] aucun mot
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
articles-comment = Commenter
articles-comments = { $count ->
    [0] Aucun commentaire ouvert
    [one] Un commentaire ouvert
   *[other] { $count } commentaires ouverts
}
articles-doubtful = { $count ->
    [0] Aucune phrase à examiner
    [one] Une phrase à examiner
   *[other] { $count } phrases à examiner
}
articles-back-to-text = Retour au texte
articles-delete = Supprimer
articles-stop = Arrêter la rédaction et supprimer
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
approval-lapsed = L’article a été modifié après sa validation.
approval-required = Dans cette niche, rien ne sort sans validation.
approval-not-required = Dans cette niche, les articles peuvent sortir sans validation.
approval-slug = Nom dans l’adresse
approval-tags = Mots-clés
approval-categories = Catégories
approval-canonical = Adresse canonique
approval-details = Modifier les mots-clés, les catégories et les adresses
approval-tags-lines = Mots-clés, un par ligne
approval-categories-lines = Catégories, une par ligne
approval-details-now = Enregistrer et demander la validation
approval-approvers = Peuvent valider :
approval-submit = Demander la validation
approval-approve = Valider cet article
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
articles-publish = Publier et exporter
publish-title = Publier
publish-held-back = Dans cette niche, rien ne sort avant la validation du texte actuel :
publish-not-yours = La publication revient aux rédacteurs.
publish-target = Cible
publish-post = Publication
publish-looked = Dernière vérification
publish-failing = La cible refuse les identifiants.
publish-off = désactivée
publish-due = prévue le { $at }
publish-again-at = nouvel essai le { $at }
publish-never = non publié
publish-more = Tentatives, retrait et marquage à la main
publish-where = Où
publish-when = Quand
publish-now = Maintenant
publish-as-draft = Comme brouillon sur la cible
publish-later = À une date
publish-at = Date et heure ({ $zone })
publish-conflicts = Si la publication a été modifiée ou supprimée sur la cible
publish-overwrite = Écraser ce qui y a été modifié
publish-anew = La refaire si elle y a été supprimée
publish-go = Publier
publish-no-target = Aucune cible n’est connectée.
publish-connect = En connecter une
publish-by-hand = Je l’ai publié moi-même
articles-publish-choose = Choisissez une cible.
articles-publish-no-time = Indiquez la date et l’heure de publication.
finding-intact = intacte
finding-changed = modifiée sur la cible
finding-unpublished = n’est plus publique
finding-deleted = disparue
finding-overdue = en retard
export-title = Exporter
export-html = Page web à imprimer
export-pdf = PDF
export-markdown = Markdown
export-docx = Document bureautique (DOCX)
export-with-receipt = avec le relevé des phrases
export-evidence = Dossier de preuves (signé)
export-evidence-pdf = le même en PDF
note-publishing = C’est parti. Les réponses des cibles figurent ci-dessous.
note-published-by-hand = L’article compte comme publié.
articles-edit-short = Modifier
articles-edit-sentence = La phrase, en Markdown
articles-edit-sentence-hint = Gardez ses renvois, comme [1] : c’est d’après eux qu’elle est vérifiée. Si vous ne laissez rien, la phrase disparaît.
articles-edit-not-alone = Cette phrase ne se distingue pas de la mise en forme qui l’entoure.
articles-shut = Fermer le passage
articles-updates = Actualité et liens
articles-translations = Traductions
updates-title = Ce que disent ses sources aujourd’hui
updates-stale = { $count ->
    [one] Une phrase sur { $all } repose sur des mots qui ont changé.
   *[other] { $count } phrases sur { $all } reposent sur des mots qui ont changé.
}
updates-dated = Phrases qui vieillissent d’elles-mêmes
updates-propose = Consulter les sources et proposer une mise à jour
updates-proposed = La mise à jour proposée
updates-source = La source :
updates-contradicted = Une autre source dit le contraire : { $title }
updates-undecided = Décidez d’abord laquelle des deux sources a raison ; d’ici là, rien ne modifie cette phrase automatiquement.
updates-says = L’article :
updates-leave-out = La phrase serait retirée.
updates-nothing = Rien n’est proposé : écrivez ce qu’elle doit dire.
updates-by-model = Rédigé par le modèle, et vérifié d’après la source.
updates-accept-this = Modifier cette phrase
updates-text = Ce qu’elle doit dire (rien : elle est retirée)
updates-publish = Mettre aussi à jour les publications en ligne
updates-accept = Accepter les phrases choisies
updates-reject = Tout refuser
updates-decided = Mises à jour antérieures
fresh-fresh = Chaque phrase correspond toujours à sa source.
fresh-reworded = Ses sources disent la même chose en d’autres mots.
fresh-stale = Ses sources ont changé.
fresh-unknown = On l’ignore : l’article n’a pas de relevé de ses phrases.
stale-reworded = autres mots, même sens
stale-changed = dit autre chose désormais
stale-gone = n’est plus dit
stale-contradicted = contredite
update-translating = en cours de traduction
update-proposed = proposée
update-applied = acceptée
update-rejected = refusée
update-outdated = dépassée
update-skipped = n’a pas pu suivre l’original
links-title = Liens vers vos autres articles
links-none = Aucun n’est proposé.
links-dormant = Ses mots ne figurent plus dans le texte.
links-unread = Il apparaîtra quand tout le monde pourra lire sa cible.
links-accept = Accepter
links-reject = Refuser
links-propose = Chercher des liens
link-proposed = proposé
link-accepted = accepté
link-rejected = refusé
note-proposed = Une mise à jour est proposée ci-dessous.
note-fresh = Chaque phrase correspond toujours à sa source : il n’y a rien à mettre à jour.
note-updated = Les phrases choisies disent ce que leurs sources disent désormais.
note-update-rejected = L’article reste tel quel.
note-links-proposed = Ces mots peuvent mener à d’autres articles.
note-link-decided = C’est noté.
note-translating = La traduction est en cours.
translations-title = Langues
translations-of = Une traduction de
translations-beside = côte à côte
translations-none = Il n’y a pas encore de traduction.
translations-new = Le traduire
translations-plan = Votre formule ne comprend pas de traduction.
translations-not-published = Seul un article publié se traduit.
translations-all = Il existe dans toutes les langues.
translations-language = Vers
translations-go = Traduire
translations-credits = { $count ->
    [one] Il reste un crédit ce mois-ci ; il suffit pour 500 mots.
   *[other] Il reste { $count } crédits ce mois-ci ; chacun suffit pour 500 mots.
}
translations-side-by-side = Côte à côte
articles-language = Langue
articles-changed = Articles dont les sources ont changé
articles-all-articles = Tous les articles
articles-none-changed = Aucun article ici ne cite de source modifiée.
articles-again = Le récrire
articles-again-text = Vous revenez à son plan, que vous pouvez modifier. Une fois validé, l’article est récrit d’après lui ; le texte actuel reste une version.
articles-again-yes = Revenir au plan
