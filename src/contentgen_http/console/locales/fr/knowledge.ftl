nav-knowledge-documents = Documents
knowledge-add = Ajouter un document
knowledge-words-of-title = Mots du titre
knowledge-title = Titre
knowledge-private = Vos documents
knowledge-origin = Provenance
knowledge-origin-import = importé
knowledge-origin-web = trouvé sur le web
knowledge-origin-ai = écrit par un modèle
knowledge-origin-document = ajouté par votre équipe
knowledge-language = Langue
knowledge-age = Date
knowledge-state = Statut
knowledge-state-processing = en cours de lecture
knowledge-state-ready = disponible
knowledge-state-failed = illisible
knowledge-state-revised = modifié { $when }
knowledge-passages-count = Passages
knowledge-count = { $count ->
    [0] Aucun document
    [one] Un document
   *[other] { $count } documents
}
knowledge-count-more = Plus de { $count } documents. Cherchez des mots, ou choisissez une provenance ou une langue, pour voir les autres.
knowledge-none = Aucun document ne correspond.
knowledge-preparing = En cours d’ajout à la base de connaissances
knowledge-being-read = { $count ->
    [one] Un document est en cours de lecture.
   *[other] { $count } documents sont en cours de lecture.
}
knowledge-not-read = { $count ->
    [one] Un document n’a pas pu être lu :
   *[other] { $count } documents n’ont pas pu être lus :
}
knowledge-all-read = Tous les documents ont été lus.
knowledge-show-documents = Afficher les documents
knowledge-about = À propos de ce document
knowledge-belongs-to = Appartient à
knowledge-yours = votre équipe
knowledge-everybodys = tous ceux qui utilisent cette niche
knowledge-author = Auteur
knowledge-published = Publié
knowledge-fetched = Récupéré
knowledge-since = Ajouté
knowledge-revised = Dernière modification
knowledge-address = Adresse
knowledge-file = Fichier
knowledge-size = Taille
knowledge-kilobytes = { $size } Ko
knowledge-words = Mots
knowledge-articles = Articles qui le citent
knowledge-no-articles = Aucun article ne cite ce document.
knowledge-versions = Versions
knowledge-version-now = Version actuelle, depuis le { $since }
knowledge-version = du { $since } au { $until }
knowledge-former-text = Texte du { $since } au { $until }.
knowledge-text = Texte
knowledge-passages-shown = Passages { $first } à { $last } sur { $total }
knowledge-before = Précédents
knowledge-after = Suivants
knowledge-delete = Supprimer
knowledge-delete-title = Supprimer ce document ?
knowledge-delete-text = Il ne sera plus trouvé ni utilisé pour rédiger des articles. Cette action est irréversible.
knowledge-delete-articles = { $count ->
    [one] Cet article le cite ; il garde son texte et ses citations :
   *[other] Ces { $count } articles le citent ; ils gardent leur texte et leurs citations :
}
knowledge-add-files = Fichiers
knowledge-choose-files = Choisissez des fichiers, ou déposez-les ici
knowledge-file-hint = { $types } ; moins de { $most } Mo chacun.
knowledge-send-files = Ajouter les fichiers
knowledge-sending = est en cours d’envoi
knowledge-lost = Le service ne répond pas. Le fichier n’a pas été ajouté : déposez-le de nouveau dans un instant.
knowledge-file-added = est ajouté et en cours de lecture.
knowledge-file-fault = { $name } : { $fault }
knowledge-empty-file = Ce fichier est vide.
knowledge-no-file = Choisissez d’abord un fichier.
knowledge-too-many-files = { $most } fichiers au plus en une fois. Envoyez les autres ensuite.
knowledge-too-large = Le fichier fait { $size } Mo ; la console accepte moins de { $most } Mo. Divisez-le, ou envoyez-le par l’API, qui accepte jusqu’à { $api } Mo.
knowledge-request-too-large = Les fichiers dépassent { $most } Mo au total, et aucun n’a été ajouté. Envoyez-en moins à la fois, ou en parties plus petites.
knowledge-add-address = Page web
knowledge-address-hint = La page ou le PDF à cette adresse est lu une fois.
knowledge-add-page = Ajouter la page
knowledge-add-text = Texte
knowledge-text-hint = Texte brut ou Markdown, moins de { $most } Mo.
knowledge-no-text = Saisissez un texte.
note-documents-added = Ajouté. Les documents seront disponibles dès qu’ils auront été lus.
note-document-deleted = Le document est supprimé.
knowledge-there-already = Ce document existe déjà ; rien n’a été ajouté.

nav-knowledge-sources = Sources
knowledge-add-source = Suivre une source
knowledge-choose-kind = Son contenu est importé, puis importé de nouveau à chaque changement.
knowledge-no-sources = Aucune source n’est encore suivie. Quand vous suivez un site, un flux ou un dossier, ses documents restent à jour automatiquement.
knowledge-syncing = synchronisation en cours
knowledge-paused = en pause
knowledge-following = suivie
knowledge-every = { $unit ->
    [days] { $count ->
        [one] tous les jours
        [7] toutes les semaines
       *[other] tous les { $count } jours
    }
   *[hours] { $count ->
        [one] toutes les heures
       *[other] toutes les { $count } heures
    }
}
knowledge-last-sync = dernière synchronisation { $when }
knowledge-next-sync = prochaine { $when }
knowledge-last-sync-title = Dernière synchronisation
knowledge-never-synced = Pas encore synchronisée.
knowledge-sync-counts = { $listed } éléments : { $added } ajoutés, { $changed } modifiés, { $unchanged } inchangés, { $missing } manquants, { $removed } retirés.
knowledge-sync-skipped = Ignorés :
knowledge-outcome-done = Terminé.
knowledge-outcome-partial = Il y avait plus à lire qu’une synchronisation ne le permet ; la suivante reprend dans cinq minutes.
knowledge-outcome-cut = La source contient plus d’éléments que le maximum suivi ; les autres sont ignorés.
knowledge-outcome-doubtful = La plupart des éléments connus ont disparu, ou des pages affichent une page d’erreur. Rien n’a été retiré ni modifié : tout reste en l’état jusqu’au retour de la source, ou jusqu’à ce que vous acceptiez son état actuel.
knowledge-outcome-failed = La source n’a pas pu être lue.
knowledge-skip-empty = sans texte
knowledge-skip-titleOnly = seulement un titre
knowledge-skip-scan = pages numérisées sans texte
knowledge-skip-gluedWords = mots sans espaces
knowledge-skip-unsupported = type de fichier non pris en charge
knowledge-skip-tooLarge = trop volumineux
knowledge-skip-unreadable = illisible
knowledge-skip-refused = refusé par son serveur
knowledge-skip-duplicate = même texte qu’un autre document
knowledge-skip-gone = listé, mais introuvable
knowledge-skip-waiting = remis à la prochaine synchronisation
knowledge-skip-notFollowed = non suivi : autre site, lien, fichier caché ou nom trop long
knowledge-skip-doubtful = page d’erreur, même texte que d’autres pages, ou disparu avec presque tout son site : laissé tel quel
knowledge-skipped-examples = Exemples d’éléments ignorés
knowledge-item = Élément
knowledge-items = Éléments
knowledge-item-stored = dans la base de connaissances
knowledge-item-skipped = ignoré
knowledge-item-missing = n’est plus listé
knowledge-no-items = Aucun élément.
knowledge-reason = Raison
knowledge-sync-now = Synchroniser
knowledge-doubtful = à vérifier
knowledge-accept = Accepter l’état actuel
knowledge-accept-hint = La prochaine synchronisation reprend l’état actuel de la source. Les éléments qu’elle ne liste plus, ou qui affichent la page d’erreur de leur site, deviennent manquants. Vérifiez d’abord ses pages.
knowledge-pause = Mettre en pause
knowledge-resume = Reprendre
knowledge-change = Modifier
knowledge-about-source = À propos de cette source
knowledge-kind = Type
knowledge-place = Emplacement
knowledge-name = Nom
knowledge-grace = Les éléments manquants sont conservés
knowledge-days = { $count ->
    [one] { $count } jour
   *[other] { $count } jours
}
knowledge-secrets = Secrets
knowledge-secrets-kept = { $names } : chiffrés, jamais affichés
knowledge-not-kept = Rien n’est encore enregistré. Corrigez les champs signalés.
knowledge-every-hours = Heures entre deux synchronisations
knowledge-grace-days = Jours avant le retrait d’un élément manquant
knowledge-grace-hint = Avec 0, il est retiré immédiatement.
knowledge-follow = Suivre cette source
knowledge-delete-source-title = Supprimer cette source ?
knowledge-delete-source-text = Ses documents sont supprimés aussi. Les articles gardent leur texte et leurs citations. Cette action est irréversible ; pour ne plus suivre la source tout en gardant ses documents, mettez-la en pause.
note-syncing = La synchronisation a commencé.
note-source-accepted = L’état actuel de la source est repris. La synchronisation a commencé.
note-source-paused = La source est en pause. Ses documents sont conservés.
note-source-resumed = La source est suivie de nouveau.
note-source-added = La source est suivie. Sa première synchronisation a commencé.
note-source-changed = La source est modifiée.
note-source-deleted = La source et ses documents sont supprimés.

nav-knowledge-passages = Passages
knowledge-question = Mots ou question
knowledge-question-hint = Les passages sont trouvés par leurs mots et par leur sens.
knowledge-search = Rechercher
knowledge-found = { $count ->
    [one] Un passage trouvé, avec la raison du résultat.
   *[other] { $count } passages trouvés, les meilleurs d’abord, avec la raison de chaque résultat.
}
knowledge-marks = Vos mots sont surlignés ; la phrase la plus proche est soulignée.
knowledge-found-nothing = Aucun résultat. Essayez d’autres mots, ou toutes les niches et toutes les langues.
knowledge-found-by-words = Mots correspondants
knowledge-found-by-meaning = Sens correspondant
knowledge-found-by-both = Mots et sens correspondants
knowledge-words-found = { $count ->
    [0] aucun de vos mots dans le texte
    [one] un de vos mots
   *[other] { $count } fois l’un de vos mots
}
knowledge-relevance = Pertinence
knowledge-meaning = Pertinence par le sens

nav-knowledge-conflicts = Conflits
knowledge-conflict-open = en attente d’une décision
knowledge-conflict-decided = tranché
knowledge-conflict-outdated = obsolète
knowledge-searching = recherche en cours
knowledge-searched = La dernière recherche a examiné { $passages } passages nouveaux ou modifiés, comparé { $compared } paires et trouvé { $found } conflits,
knowledge-search-waiting = { $count } passages attendent d’être comparés.
knowledge-show-conflicts = Afficher les conflits
knowledge-search-conflicts = Chercher des conflits maintenant
knowledge-differs-figure = Les chiffres diffèrent
knowledge-differs-date = Les dates diffèrent
knowledge-differs-name = Les noms diffèrent
knowledge-differs-negation = L’une nie ce que dit l’autre
knowledge-differs-contrary = Elles vont dans des sens opposés
knowledge-side-one = Source A
knowledge-side-other = Source B
knowledge-side-unused = Aucun article n’utilise cette phrase.
knowledge-newer = plus récente
knowledge-more-independent = plus de documents indépendants
knowledge-preferred = retenue
knowledge-independent = { $count ->
    [0] dit par un modèle seulement
    [one] { $count } document indépendant
   *[other] { $count } documents indépendants
}
knowledge-decide = Laquelle est correcte ?
knowledge-decide-now = Trancher
knowledge-decision-one = Source A : les articles n’utilisent plus B
knowledge-decision-other = Source B : les articles n’utilisent plus A
knowledge-decision-both = Les deux, chacune dans son contexte
knowledge-decision-dismiss = Ce n’est pas un conflit
knowledge-decided-prefer = Tranché { $when } : l’une des sources est retenue.
knowledge-decided-both = Tranché { $when } : les deux sont correctes.
knowledge-decided-dismiss = Tranché { $when } : ce n’est pas un conflit.
knowledge-no-conflicts = Aucun conflit ne correspond.
knowledge-never-searched = Aucune recherche de conflits n’a encore été faite dans cette base de connaissances. Après la première, la recherche est relancée à chaque changement.
note-conflicts-searched = La recherche a commencé.
note-decided = C’est tranché. Les prochains articles en tiendront compte.
error-nothing-doubtful = La dernière synchronisation n’avait rien de douteux : il n’y a rien à accepter.
error-conflict-outdated = L’une des phrases n’existe plus : il n’y a plus rien à trancher.

nav-knowledge-enrich = Enrichir
knowledge-enrich-hint = Le sujet est recherché sur le web, et ce qu’en disent les pages est ajouté à la base de connaissances de la niche de l’agent.
knowledge-enrich-now = Rechercher sur le web
knowledge-enrich-again = Réessayer
knowledge-rejected = Ce sujet ne relève pas de la niche : { $reason }
knowledge-progress = Progression
knowledge-enrichment-pending = L’enrichissement va commencer.
knowledge-enrichment-queued = L’enrichissement a commencé.
knowledge-enrichment-searching = Recherche sur le web en cours.
knowledge-enrichment-fetching = Lecture des pages en cours.
knowledge-enrichment-processing = Découpage des textes en cours.
knowledge-enrichment-indexing = Ajout des passages à la base de connaissances.
knowledge-enrichment-enriching = Analyse des passages en cours.
knowledge-enrichment-ready = Il y a de quoi rédiger ; le reste suit.
knowledge-enrichment-completed = Terminé.
knowledge-enrichment-failed = L’enrichissement a échoué. Rien n’est décompté de votre formule.
knowledge-insights = { $count ->
    [0] Aucun passage sur le sujet n’est entré
    [one] Un passage sur le sujet est entré
   *[other] { $count } passages sur le sujet sont entrés
} dans la base de connaissances, à partir de { $documents ->
    [one] { $documents } document.
   *[other] { $documents } documents.
}
note-enriching = L’enrichissement a commencé. Vous pouvez quitter cette page : il continue.

nav-knowledge-entities = Entités
knowledge-entities-shown = Entités à afficher
knowledge-no-entities = Aucune entité n’a encore été trouvée dans cette base de connaissances.
knowledge-graph-hint = Les personnes, lieux et choses cités dans les textes, les plus fréquents d’abord. Les noms reliés apparaissent ensemble dans des passages plus souvent que par hasard ; ceux d’une même couleur forment un groupe.
knowledge-graph-title = { $nodes } entités et { $edges } liens entre elles
knowledge-graph-text = Plus un nom revient souvent, plus son cercle est grand. Les lignes en pointillé relient des noms proches par le sens seulement. La liste à côté donne les mêmes informations sous forme de texte.
knowledge-closer = Zoom avant
knowledge-farther = Zoom arrière
knowledge-whole = Tout afficher
knowledge-group-closer = Agrandir ce groupe
knowledge-entity-list = Entités en liste
knowledge-alone = Sans lien
knowledge-mentions = { $count ->
    [one] nommé une fois
   *[other] nommé { $count } fois
} dans { $documents ->
    [one] { $documents } document
   *[other] { $documents } documents
}
knowledge-with = avec { $names }
knowledge-entity-person = personne
knowledge-entity-organisation = organisation
knowledge-entity-place = lieu
knowledge-entity-product = produit
knowledge-entity-law = loi
knowledge-entity-concept = notion

nav-knowledge-topics = Sujets
knowledge-topics-under-way = Les sujets sont en cours de calcul.
knowledge-topics-failed = Les sujets n’ont pas pu être calculés ; voici ceux du calcul précédent.
knowledge-topics-done = Les sujets sont calculés.
knowledge-show-topics = Afficher les sujets
knowledge-topics-computed = Calculé { $when }
knowledge-compute-topics = Recalculer
knowledge-topics-share = Sujets couverts
knowledge-topics-covered = Assez pour un article
knowledge-topics-rich = Plus qu’il n’en faut pour un article
knowledge-topics-thin = Des éléments, mais pas assez
knowledge-topics-missing = Peu ou rien
knowledge-heat = Quantité de contenu, sur 100
knowledge-topics-table = Tous les sujets en tableau
knowledge-no-topics = Aucun sujet pour l’instant. Les sujets viennent des mots-clés de la niche, de ses articles et de sa base de connaissances.
note-topics-computed = Le calcul a commencé.
