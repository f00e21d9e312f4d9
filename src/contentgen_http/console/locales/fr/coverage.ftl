coverage-topic = Sujet
coverage-placeholder = Choisir une pompe à chaleur pour une maison ancienne
coverage-agent = Agent
coverage-length = Longueur
coverage-from = Rédiger à partir de
coverage-from-all = la niche et nos propres documents
coverage-from-niche = la niche seule
coverage-check = Vérifier la couverture
coverage-remaining = { $count ->
    [one] Il reste une vérification aujourd’hui.
   *[other] Il reste { $count } vérifications aujourd’hui.
}
coverage-score = Score
coverage-rests = { $documents ->
    [one] Le score repose sur un document indépendant
   *[other] Le score repose sur { $documents } documents indépendants
}, avec { $passages ->
    [one] un passage sur le sujet.
   *[other] { $passages } passages sur le sujet.
}
coverage-age = Leurs documents datent de { $oldest } à { $newest }.
coverage-year = Leurs documents datent de { $year }.
coverage-provisional = Des documents sont encore en cours de lecture : ce résultat peut changer. Vérifiez à nouveau dans quelques minutes.
coverage-missing = Aucune source ne porte sur : { $words }
coverage-language = Langue de l’article
coverage-plan = Préparer le plan
coverage-plan-anyway = Préparer le plan malgré tout
coverage-enrich = Enrichir depuis le web
coverage-forecast = Mots que portent les sources
coverage-words = { $words } sur { $target }
coverage-terms = Où figurent les mots du sujet
coverage-word = Mot
coverage-documents = Documents
coverage-titles = Les meilleurs
coverage-alternatives = Sujets couverts voisins
coverage-passages = Le meilleur passage de chaque document
coverage-relevance = pertinence { $share }
coverage-no-passages = La base de connaissances ne contient rien à ce propos.
similar-title = Vos articles qui y répondent déjà
suggestion-update = à mettre à jour
suggestion-merge = à fusionner
suggestion-translate = à traduire
suggestion-differentiate = à distinguer
similar-update = Il répond à la même question : mettez-le à jour plutôt que d’en écrire un second.
similar-merge = Deux de vos articles répondent à la même question : n’en faites qu’un.
similar-translate = Il y répond dans une autre langue : traduisez-le.
similar-differentiate = Il y répond en partie : dites autre chose, ou le reste.
similar-sections = Ses parties sur le sujet : { $headings }.
similar-cites = Il cite { $shared } des { $all } passages sur le sujet.
similar-since = { $count ->
    [one] L’un des autres est plus récent que lui.
   *[other] { $count } des autres sont plus récents que lui.
}
similar-adds = Il ne cite pas : { $titles }.
similar-go-update = Voir ce que disent ses sources aujourd’hui
similar-go-translate = Vers ses traductions
similar-go-merge = Vers l’autre article
similar-go-plan = Vers son plan
similar-changed = Ses sources ont changé depuis.
