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
knowledge-age = Âge
knowledge-state = État
knowledge-state-processing = en cours de lecture
knowledge-state-ready = consultable
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
knowledge-preparing = En route vers la base de connaissances
knowledge-being-read = { $count ->
    [one] Un document est en cours de lecture.
   *[other] { $count } documents sont en cours de lecture.
}
knowledge-not-read = { $count ->
    [one] Un document n’a pas pu être lu :
   *[other] { $count } documents n’ont pas pu être lus :
}
knowledge-all-read = Tous les documents sont lus.
knowledge-show-documents = Les afficher
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
knowledge-articles = Articles qui reposent sur lui
knowledge-no-articles = Aucun article ne cite ce document.
knowledge-versions = Versions
knowledge-version-now = Tel qu’il est depuis le { $since }
knowledge-version = du { $since } au { $until }
knowledge-former-text = Voici ce qu’il disait du { $since } au { $until }.
knowledge-text = Texte
knowledge-passages-shown = Passages { $first } à { $last } sur { $total }
knowledge-before = Avant
knowledge-after = Après
knowledge-delete = Supprimer
knowledge-delete-title = Supprimer ce document ?
knowledge-delete-text = Aucune recherche ne le trouvera plus, et aucun article ne sera plus rédigé à partir de lui. Cette suppression est définitive.
knowledge-delete-articles = { $count ->
    [one] Cet article repose sur lui. Il garde son texte et ce qu’il cite :
   *[other] Ces { $count } articles reposent sur lui. Ils gardent leur texte et ce qu’ils citent :
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
knowledge-too-large = Cela fait { $size } Mo, et la console accepte moins de { $most } Mo. Divisez-le, ou envoyez-le par l’API, qui accepte jusqu’à { $api } Mo.
knowledge-request-too-large = Cela fait plus de { $most } Mo en tout, et rien n’a été ajouté. Envoyez moins de fichiers à la fois, ou des parties plus petites.
knowledge-add-address = Une page du web
knowledge-address-hint = La page, ou le PDF, qui se trouve à cette adresse est lue une fois.
knowledge-add-page = Ajouter la page
knowledge-add-text = Un texte
knowledge-text-hint = Texte brut ou Markdown, moins de { $most } Mo.
knowledge-no-text = Il n’y a pas encore de texte.
note-documents-added = C’est ajouté. La lecture est en cours, et tout sera consultable dans un instant.
note-document-deleted = Le document est supprimé.
knowledge-there-already = Cela existe déjà ; rien n’a été ajouté une deuxième fois.

nav-knowledge-sources = Sources
knowledge-add-source = Suivre une source
knowledge-choose-kind = Ce qui s’y trouve est lu, puis suivi à chaque changement.
knowledge-no-sources = Aucune source n’est encore suivie. Un site, un flux ou un dossier suivi tient ses documents à jour de lui-même.
knowledge-syncing = en cours de synchronisation
knowledge-paused = en pause
knowledge-following = suivie
knowledge-every = { $hours ->
    [1] toutes les heures
    [24] tous les jours
    [168] toutes les semaines
   *[other] toutes les { $hours } heures
}
knowledge-last-sync = dernière synchronisation { $when }
knowledge-next-sync = prochaine { $when }
knowledge-last-sync-title = La dernière synchronisation
knowledge-never-synced = Elle n’a pas encore été synchronisée.
knowledge-sync-counts = { $listed } listés : { $added } ajoutés, { $changed } modifiés, { $unchanged } inchangés, { $missing } manquants, { $removed } retirés.
knowledge-sync-skipped = Laissés de côté :
knowledge-outcome-done = Terminé.
knowledge-outcome-partial = Il y avait plus à lire qu’une synchronisation n’en lit ; la suivante reprend dans cinq minutes.
knowledge-outcome-cut = Il y a plus d’éléments qu’il n’en est suivi ; les autres sont laissés de côté.
knowledge-outcome-doubtful = Peu des éléments connus sont encore là, ou des pages affichent une page d’erreur. Rien n’a été retiré et ces pages restent telles quelles, jusqu’à ce que cela cesse ou que vous l’acceptiez.
knowledge-outcome-failed = La source n’a pas pu être lue.
knowledge-skip-empty = sans texte
knowledge-skip-titleOnly = rien de plus qu’un titre
knowledge-skip-scan = images de pages numérisées
knowledge-skip-gluedWords = mots sans espaces
knowledge-skip-unsupported = type de fichier non pris en charge
knowledge-skip-tooLarge = trop volumineux
knowledge-skip-unreadable = illisible
knowledge-skip-refused = refusé par son serveur
knowledge-skip-duplicate = déjà présent sous un autre nom
knowledge-skip-gone = listé, mais absent
knowledge-skip-waiting = remis à la prochaine synchronisation
knowledge-skip-notFollowed = non suivi : autre site, lien, fichier caché ou nom trop long
knowledge-skip-doubtful = page d’erreur, même contenu que d’autres pages, ou disparu avec presque tout son site : laissé tel quel
knowledge-skipped-examples = Exemples de ce qui a été laissé de côté
knowledge-item = Élément
knowledge-items = Éléments
knowledge-item-stored = dans la base de connaissances
knowledge-item-skipped = laissé de côté
knowledge-item-missing = n’est plus listé
knowledge-no-items = Il n’y en a aucun.
knowledge-reason = Raison
knowledge-sync-now = Synchroniser
knowledge-doubtful = à vérifier
knowledge-accept = Accepter l’état actuel
knowledge-accept-hint = La prochaine synchronisation reprend alors ce que dit la source. Ce qu’elle ne liste plus, ou qui affiche la page d’erreur de son site, devient manquant. Regardez d’abord ses pages.
knowledge-pause = Mettre en pause
knowledge-resume = Suivre de nouveau
knowledge-change = Modifier
knowledge-about-source = À propos de cette source
knowledge-kind = Type
knowledge-place = Emplacement
knowledge-name = Nom
knowledge-grace = Ce qui a disparu est gardé
knowledge-days = { $count ->
    [one] { $count } jour
   *[other] { $count } jours
}
knowledge-secrets = Secrets
knowledge-secrets-kept = { $names } : gardés scellés, jamais affichés
knowledge-not-kept = Rien n’est encore enregistré. Ce qui doit être corrigé est indiqué à son champ.
knowledge-every-hours = Heures entre deux synchronisations
knowledge-grace-days = Jours pendant lesquels un élément manquant est gardé
knowledge-grace-hint = Avec 0, il est retiré tout de suite.
knowledge-follow = Suivre cette source
knowledge-delete-source-title = Supprimer cette source ?
knowledge-delete-source-text = Les documents qui en viennent sont supprimés avec elle. Les articles gardent leur texte et ce qu’ils citent. Cette suppression est définitive ; pour ne plus la suivre tout en gardant les documents, mettez-la en pause.
note-syncing = La synchronisation a commencé.
note-source-accepted = L’état actuel de la source est repris. La synchronisation a commencé.
note-source-paused = La source est en pause. Ses documents restent.
note-source-resumed = La source est suivie de nouveau.
note-source-added = La source est suivie. Sa première synchronisation a commencé.
note-source-changed = La source est modifiée.
note-source-deleted = La source et ses documents sont supprimés.

nav-knowledge-passages = Passages
knowledge-question = Mots ou question
knowledge-question-hint = Les passages sont trouvés par leurs mots et par leur sens.
knowledge-search = Chercher
knowledge-found = { $count ->
    [one] Un passage, avec ce qui l’a fait trouver.
   *[other] { $count } passages, les meilleurs d’abord, avec ce qui a fait trouver chacun.
}
knowledge-marks = Vos mots sont surlignés ; la phrase la plus proche est soulignée.
knowledge-found-nothing = Rien n’a été trouvé. Essayez d’autres mots, ou toutes les niches et toutes les langues.
knowledge-found-by-words = Trouvé par ses mots
knowledge-found-by-meaning = Trouvé par son sens
knowledge-found-by-both = Trouvé par ses mots et par son sens
knowledge-words-found = { $count ->
    [0] aucun de vos mots dans le texte
    [one] un de vos mots
   *[other] { $count } fois l’un de vos mots
}
knowledge-relevance = Pertinence
knowledge-meaning = Part du sens

nav-knowledge-conflicts = Conflits
knowledge-conflict-open = en attente d’une décision
knowledge-conflict-decided = tranché
knowledge-conflict-outdated = dépassé
knowledge-searching = recherche en cours
knowledge-searched = La dernière recherche a examiné { $passages } passages nouveaux ou modifiés, comparé { $compared } paires et trouvé { $found } conflits,
knowledge-search-waiting = { $count } passages attendent d’être comparés.
knowledge-show-conflicts = Afficher ce qui a été trouvé
knowledge-search-conflicts = Chercher des conflits maintenant
knowledge-differs-figure = Les chiffres diffèrent
knowledge-differs-date = Les dates diffèrent
knowledge-differs-name = Les noms diffèrent
knowledge-differs-negation = L’une nie ce que dit l’autre
knowledge-differs-contrary = Elles vont dans des sens opposés
knowledge-side-one = Première version
knowledge-side-other = Deuxième version
knowledge-side-unused = Aucun article ne repose sur cette phrase.
knowledge-newer = plus récente
knowledge-more-independent = plus de documents indépendants
knowledge-preferred = retenue
knowledge-independent = { $count ->
    [0] dit par un modèle seulement
    [one] { $count } document indépendant
   *[other] { $count } documents indépendants
}
knowledge-decide = Ce qui vaut
knowledge-decide-now = Trancher
knowledge-decision-one = La première version : aucun article n’est plus rédigé à partir de la deuxième
knowledge-decision-other = La deuxième version : aucun article n’est plus rédigé à partir de la première
knowledge-decision-both = Les deux, chacune là où elle s’applique
knowledge-decision-dismiss = Ce n’est pas un conflit
knowledge-decided-prefer = Tranché { $when } : l’une des versions est retenue.
knowledge-decided-both = Tranché { $when } : les deux valent.
knowledge-decided-dismiss = Tranché { $when } : ce n’est pas un conflit.
knowledge-no-conflicts = Il n’y en a aucun de ce genre.
knowledge-never-searched = Cette base de connaissances n’a pas encore été examinée à la recherche de conflits. Après la première recherche, elle l’est d’elle-même à chaque changement.
note-conflicts-searched = La recherche a commencé.
note-decided = C’est tranché. Ce qui sera rédigé désormais en tient compte.
error-nothing-doubtful = La dernière synchronisation n’avait rien de douteux : il n’y a rien à accepter.
error-conflict-outdated = L’une des phrases n’est plus là : il n’y a plus rien à trancher.

nav-knowledge-enrich = Enrichir
knowledge-enrich-hint = Un sujet est recherché sur le web, et ce qu’en disent les pages entre dans la base de connaissances de la niche de l’agent.
knowledge-enrich-now = Chercher sur le web
knowledge-enrich-again = Réessayer
knowledge-rejected = Ce sujet ne relève pas de la niche : { $reason }
knowledge-progress = Progression
knowledge-enrichment-pending = L’enrichissement va commencer.
knowledge-enrichment-queued = L’enrichissement a commencé.
knowledge-enrichment-searching = Recherche sur le web en cours.
knowledge-enrichment-fetching = Lecture des pages en cours.
knowledge-enrichment-processing = Découpage des textes en cours.
knowledge-enrichment-indexing = Les passages entrent dans la base de connaissances.
knowledge-enrichment-enriching = Examen de ce qu’ils disent en cours.
knowledge-enrichment-ready = Il y a de quoi rédiger ; le reste suit.
knowledge-enrichment-completed = Terminé.
knowledge-enrichment-failed = Cela n’a pas fonctionné. Rien n’est décompté de votre formule.
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
knowledge-entities-shown = Entités affichées
knowledge-no-entities = Cette base de connaissances ne nomme encore rien ni personne.
knowledge-graph-hint = Ce que nomment les textes, le plus fréquent d’abord. Les noms reliés figurent ensemble dans des passages plus souvent que par hasard ; ceux d’une même couleur forment un groupe.
knowledge-graph-title = { $nodes } entités et { $edges } liens entre elles
knowledge-graph-text = Un cercle est d’autant plus grand que son nom revient souvent. Les lignes en pointillé relient ce qui n’est proche que par le sens. La liste à côté dit la même chose en mots.
knowledge-closer = Plus près
knowledge-farther = Plus loin
knowledge-whole = Toute l’image
knowledge-group-closer = Agrandir ce groupe
knowledge-entity-list = Les entités en liste
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
knowledge-show-topics = Les afficher
knowledge-topics-computed = Calculé { $when }
knowledge-compute-topics = Recalculer
knowledge-topics-share = Sujets couverts
knowledge-topics-covered = Assez pour un article
knowledge-topics-rich = Plus qu’il n’en faut pour un article
knowledge-topics-thin = Quelque chose, mais pas assez
knowledge-topics-missing = Peu ou rien
knowledge-heat = Ce qu’il y a à ce sujet, sur 100
knowledge-topics-table = Tous les sujets sous forme de tableau
knowledge-no-topics = Aucun sujet n’est encore connu. Les sujets viennent des mots-clés de la niche, de ses articles et de sa base de connaissances.
note-topics-computed = Le calcul a commencé.
