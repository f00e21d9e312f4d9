coverage-topic = Sujet
coverage-placeholder = Choisir une pompe à chaleur pour une maison ancienne
coverage-agent = Agent
coverage-length = Longueur
coverage-from = Sources à utiliser
coverage-from-all = Niche et nos propres documents
coverage-from-niche = Niche seulement
coverage-check = Vérifier la couverture
coverage-remaining = { $count ->
    [one] Il reste une vérification aujourd’hui.
   *[other] Il reste { $count } vérifications aujourd’hui.
}
coverage-score = Score
coverage-rests = { $documents ->
    [one] Le score est calculé d’après un document indépendant
   *[other] Le score est calculé d’après { $documents } documents indépendants
}, avec { $passages ->
    [one] un passage sur le sujet.
   *[other] { $passages } passages sur le sujet.
}
coverage-age = Leurs documents datent de { $oldest } à { $newest }.
coverage-year = Leurs documents datent de { $year }.
coverage-provisional = Des documents sont encore en cours de lecture : ce résultat peut changer. Vérifiez à nouveau dans quelques minutes.
coverage-missing = Aucune source ne traite de : { $words }
coverage-language = Langue de l’article
coverage-plan = Établir le plan
coverage-plan-anyway = Établir le plan malgré tout
coverage-enrich = Enrichir depuis le web
coverage-forecast = Longueur possible
coverage-words = { $words } mots sur { $target }
coverage-terms = Couverture du sujet, mot par mot
coverage-word = Mot
coverage-documents = Documents
coverage-titles = Meilleurs documents
coverage-alternatives = Sujets proches et couverts
coverage-passages = Meilleur passage de chaque document
coverage-relevance = pertinence { $share }
coverage-no-passages = La base de connaissances ne contient rien à ce sujet.
similar-title = Vos articles qui y répondent déjà
suggestion-update = à mettre à jour
suggestion-merge = à fusionner
suggestion-translate = à traduire
suggestion-differentiate = à traiter sous un autre angle
similar-update = Il répond à la même question : mettez-le à jour plutôt que d’en rédiger un second.
similar-merge = Deux de vos articles répondent à la même question : fusionnez-les.
similar-translate = Il y répond dans une autre langue : traduisez-le.
similar-differentiate = Il répond à une partie de la question : traitez-en une autre.
similar-sections = Sections sur le sujet : { $headings }.
similar-cites = Il cite { $shared } des { $all } passages sur le sujet.
similar-since = { $count ->
    [one] L’un des autres est plus récent que lui.
   *[other] { $count } des autres sont plus récents que lui.
}
similar-adds = Il ne cite pas : { $titles }.
similar-go-update = Vérifier ses sources
similar-go-translate = Voir ses traductions
similar-go-merge = Voir l’autre article
similar-go-plan = Voir son plan
similar-changed = Ses sources ont changé depuis.
