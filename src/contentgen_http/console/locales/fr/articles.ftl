articles-search = Rechercher des mots
articles-status = Statut
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
    [one] Une partie attend un traitement par lot du fournisseur, qui répond sous un jour.
   *[other] { $parts } parties attendent un traitement par lot du fournisseur, qui répond sous un jour.
}
articles-away = Le modèle ne répond pas. La rédaction reprendra automatiquement dès son retour, jusqu’au { $until } au plus tard.
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
articles-passages = Passages cités par les phrases
articles-sentence = Phrase { $number }
articles-no-passage = Aucun passage n’est cité.
articles-missing-facts = Absent du passage : { $facts }
articles-text = Texte
articles-text-hint = Markdown. Les renvois comme [1] mènent aux sources ; les phrases que vous modifiez sont vérifiées de nouveau.
articles-save = Enregistrer
articles-cancel = Annuler
articles-edit-overtaken = Quelqu’un d’autre a enregistré cet article en même temps que vous. Votre texte est conservé ci-dessous, suivi du sien. Combinez-les, puis enregistrez.
articles-theirs = Le texte actuel
grounding-full = Toutes les phrases sont étayées par des sources.
grounding-partial = Une partie des phrases est étayée par des sources.
grounding-none = Rédigé sans source.
verdict-supported = étayée
verdict-unsupported = non étayée
verdict-outOfContext = hors contexte
verdict-unsourced = sans source
articles-parts = L’article
articles-review = Validation et commentaires
articles-versions = Versions
articles-passages-hint = Sélectionnez une phrase pour voir le passage qui l’étaye.
articles-dated = Daté du { $date }.
articles-not-checked = Cette phrase n’est pas vérifiée : l’article n’a pas de source.
articles-out-of-context = Le passage parle d’autre chose que ce que cette phrase laisse entendre.
articles-reviewed = { $reviewed } des { $count } phrases ont été relues par une personne.
articles-reviewed-by = Relue par
articles-mark = Marquer comme relue
articles-all-reviewed = Marquer toutes les phrases comme relues
articles-comment = Commenter
articles-comments = { $count ->
    [0] Aucun commentaire ouvert
    [one] Un commentaire ouvert
   *[other] { $count } commentaires ouverts
}
articles-doubtful = { $count ->
    [0] Aucune phrase à vérifier
    [one] Une phrase à vérifier
   *[other] { $count } phrases à vérifier
}
articles-back-to-text = Retour au texte
articles-delete = Supprimer
articles-stop = Arrêter la rédaction et supprimer
articles-delete-title = Supprimer « { $title } » ?
articles-delete-text = Le texte est supprimé avec ses versions, ses commentaires et son relevé de sources. Cette action est irréversible.
articles-delete-posts = { $count ->
    [one] Sa publication sur une cible n’est pas supprimée : retirez-la d’abord si elle doit disparaître.
   *[other] Ses { $count } publications sur des cibles ne sont pas supprimées : retirez-les d’abord si elles doivent disparaître.
}
articles-delete-yes = Supprimer définitivement
approval-title = Validation
approval-none = non demandée
approval-inReview = en attente de validation
approval-approved = validé
approval-changesRequested = renvoyé pour modification
approval-lapsed = L’article a été modifié après sa validation.
approval-required = Dans cette niche, les articles doivent être validés avant publication.
approval-not-required = Dans cette niche, les articles peuvent être publiés sans validation.
approval-slug = Nom dans l’adresse
approval-tags = Étiquettes
approval-categories = Catégories
approval-canonical = Adresse canonique
approval-details = Modifier les étiquettes, les catégories et les adresses
approval-tags-lines = Étiquettes, une par ligne
approval-categories-lines = Catégories, une par ligne
approval-details-now = Enregistrer et demander la validation
approval-approvers = Peuvent valider :
approval-submit = Demander la validation
approval-approve = Valider cet article
approval-send-back = Renvoyer pour modification
approval-send-back-now = Renvoyer avec ce motif
approval-reason = Que faut-il changer ?
approval-not-yours = Vous pouvez lire et commenter ; seules les personnes indiquées ci-dessus peuvent valider.
approval-no-text = Il n’y a pas encore de texte à valider.
role-owner = propriétaires
role-admin = administrateurs
role-editor = rédacteurs
role-viewer = lecteurs
comments-title = Commentaires
comments-which = Afficher
comments-open = Ouverts
comments-resolved = Résolus
comments-all = Tous
comments-how = Les commentaires portent sur des phrases : sélectionnez une phrase dans le texte pour en ajouter un.
comments-none = Aucun commentaire.
comments-gone = (cette phrase n’est plus dans le texte)
comments-resolved-by = Résolu par
comments-reply = Répondre
comments-your-reply = Votre réponse
comments-send = Envoyer
comments-resolve = Marquer comme résolu
comments-reopen = Rouvrir
comments-delete = Supprimer
comments-delete-title = Supprimer ce commentaire ?
comments-delete-text = Ses réponses sont supprimées avec lui. Cette action est irréversible.
comments-delete-yes = Supprimer définitivement
comments-yours = Votre commentaire
comments-add = Commenter
comments-typed = Ce que vous avez saisi
versions-number = Version { $number }
versions-by = par
versions-present = texte actuel
versions-approved = validée par
versions-published = publiée pour la première fois le { $at }
versions-read = Lire
versions-changed = Ce qui a changé
versions-restore = Rétablir ce texte
versions-none = Le texte n’a encore aucune version antérieure.
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
cause-patched = quelques phrases modifiées
cause-updated = mise à jour d’après ses sources
cause-translated = traduite
cause-restored = rétablie depuis une version antérieure
cause-earlier = texte antérieur
note-submitted = La validation a été demandée.
note-approved = Validé : ce texte peut être publié.
note-sent-back = Renvoyé avec votre motif.
note-reviewed = Marqué comme relu.
note-commented = Commentaire ajouté
note-resolved = Le commentaire est résolu.
note-reopened = Le commentaire est rouvert.
note-comment-deleted = Le commentaire est supprimé.
note-restored = L’ancien texte est rétabli. Le texte remplacé reste disponible dans les versions.
note-article-deleted = L’article est supprimé.
articles-publish = Publier et exporter
publish-title = Publier
publish-held-back = Dans cette niche, le texte actuel doit être validé avant publication :
publish-not-yours = Seuls les rédacteurs peuvent publier.
publish-target = Cible
publish-post = Publication
publish-looked = Dernière vérification
publish-failing = La cible refuse les identifiants.
publish-off = désactivée
publish-due = prévue le { $at }
publish-again-at = nouvel essai le { $at }
publish-never = non publié
publish-more = Gérer les publications
publish-where = Cible
publish-when = Quand
publish-now = Maintenant
publish-as-draft = Comme brouillon sur la cible
publish-later = Plus tard
publish-at = Date et heure ({ $zone })
publish-conflicts = Si la publication a été modifiée ou supprimée sur la cible
publish-overwrite = Écraser ce qui y a été modifié
publish-anew = La recréer si elle y a été supprimée
publish-go = Publier
publish-no-target = Aucune cible n’est connectée.
publish-connect = Connecter une cible
publish-by-hand = J’ai publié l’article moi-même
articles-publish-choose = Choisissez une cible.
articles-publish-no-time = Indiquez la date et l’heure de publication.
finding-intact = inchangée
finding-changed = modifiée sur la cible
finding-unpublished = n’est plus publique
finding-deleted = supprimée sur la cible
finding-overdue = en retard
export-title = Exporter
export-html = Page web imprimable
export-pdf = PDF
export-markdown = Markdown
export-docx = Document bureautique (DOCX)
export-with-receipt = avec le relevé de sources, phrase par phrase
export-evidence = Dossier de preuves (signé)
export-evidence-pdf = Dossier de preuves en PDF
note-publishing = La publication a commencé. Les réponses des cibles figurent ci-dessous.
note-published-by-hand = L’article est marqué comme publié.
articles-edit-short = Modifier
articles-edit-sentence = Phrase, en Markdown
articles-edit-sentence-hint = Gardez ses renvois, comme [1] : ils servent à la vérifier. Laissez le champ vide pour supprimer la phrase.
articles-edit-not-alone = La mise en forme qui entoure cette phrase empêche de la modifier seule.
articles-shut = Fermer le passage
articles-updates = Mises à jour et liens
articles-translations = Traductions
updates-title = Comparaison avec les sources
updates-stale = { $count ->
    [one] Une phrase sur { $all } cite un texte qui a changé.
   *[other] { $count } phrases sur { $all } citent un texte qui a changé.
}
updates-dated = Phrases susceptibles de devenir obsolètes
updates-propose = Vérifier les sources et proposer une mise à jour
updates-proposed = Mise à jour proposée
updates-source = Source :
updates-contradicted = Une autre source la contredit : { $title }
updates-undecided = Choisissez d’abord laquelle des deux sources a raison ; d’ici là, cette phrase n’est pas mise à jour automatiquement.
updates-says = Article :
updates-leave-out = La phrase serait supprimée.
updates-nothing = Aucune formulation n’est proposée : saisissez-la.
updates-by-model = Rédigé par le modèle et vérifié d’après la source.
updates-accept-this = Modifier cette phrase
updates-text = Nouvelle formulation (laisser vide pour supprimer la phrase)
updates-publish = Mettre aussi à jour les publications en ligne
updates-accept = Accepter les phrases sélectionnées
updates-reject = Tout refuser
updates-decided = Mises à jour antérieures
fresh-fresh = Chaque phrase correspond toujours à sa source.
fresh-reworded = Ses sources disent la même chose en d’autres mots.
fresh-stale = Ses sources ont changé.
fresh-unknown = Inconnu : l’article n’a pas de relevé de sources.
stale-reworded = reformulé, même sens
stale-changed = la source dit autre chose désormais
stale-gone = absent de la source
stale-contradicted = contredite
update-translating = en cours de traduction
update-proposed = proposée
update-applied = acceptée
update-rejected = refusée
update-outdated = obsolète
update-skipped = n’a pas pu suivre l’original
links-title = Liens vers vos autres articles
links-none = Aucun lien n’est proposé.
links-dormant = Ses mots ne figurent plus dans le texte.
links-unread = Il apparaîtra lorsque l’article lié sera public.
links-accept = Accepter
links-reject = Refuser
links-propose = Proposer des liens
link-proposed = proposé
link-accepted = accepté
link-rejected = refusé
note-proposed = Une mise à jour est proposée ci-dessous.
note-fresh = Chaque phrase correspond toujours à sa source : il n’y a rien à mettre à jour.
note-updated = Les phrases sélectionnées correspondent désormais à leurs sources.
note-update-rejected = L’article est inchangé.
note-links-proposed = Des liens vers d’autres articles sont proposés ci-dessous.
note-link-decided = Enregistré.
note-translating = La traduction a commencé.
translations-title = Langues
translations-of = Une traduction de
translations-beside = comparer
translations-none = Aucune traduction pour l’instant.
translations-new = Nouvelle traduction
translations-plan = Votre formule ne comprend pas les traductions.
translations-not-published = Seuls les articles publiés peuvent être traduits.
translations-all = L’article existe dans toutes les langues.
translations-language = Traduire en
translations-go = Traduire
translations-credits = { $count ->
    [one] Il reste un crédit ce mois-ci, pour 500 mots.
   *[other] Il reste { $count } crédits ce mois-ci, pour 500 mots chacun.
}
translations-side-by-side = Côte à côte
articles-language = Langue
articles-changed = Articles dont les sources ont changé
articles-all-articles = Tous les articles
articles-none-changed = Aucun article n’a de source modifiée.
articles-again = Rédiger à nouveau
articles-again-text = Vous revenez au plan et pouvez le modifier. Une fois le plan validé, l’article est rédigé à nouveau ; le texte actuel reste disponible dans les versions.
articles-again-yes = Revenir au plan
