coverage-topic = Sujet
coverage-placeholder = Choisir une pompe à chaleur pour une maison ancienne
coverage-agent = Agent
coverage-length = Longueur
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
coverage-age = Ils ont été lus entre { $oldest } et { $newest }.
coverage-missing = Aucune source ne contient : { $words }
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
