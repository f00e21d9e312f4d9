# Les pages publiques.
skip = Aller au contenu
menu = Pages
articles = Articles
radar = Radar des tendances
feed = Flux
sign-in = Se connecter
footer = { $name } · Des articles dont chaque affirmation est sourcée.
promise = Des articles dont chaque affirmation est sourcée.
newest = Derniers articles
nothing-yet = Aucun article public pour l’instant.
trends = Tendances
whole-radar = Radar complet
search = Recherche
category = Sujets
language = Langues
all-categories = Tous les sujets
all-languages = Toutes les langues
find = Rechercher
found = { $count ->
    [0] Aucun article ne correspond.
    [one] Un article
   *[other] { $count } articles
  }
pages = Pages de la liste
newer = Articles plus récents
older = Articles plus anciens
page-of = Page { $page } sur { $pages }
follow = S’abonner dans un lecteur de flux
minutes = { $count } min
related = Articles similaires
radar-reads = Ce dont plusieurs sources parlent en ce moment. Plus une tendance est proche du centre, plus son score est élevé ; chaque niche a son secteur.
radar-picture = Les tendances sur un radar ; le tableau ci-dessous donne les mêmes informations sous forme de texte.
rank = N°
trend = Tendance
niche = Niche
kind = Type
score = Score
sources = Sources
sample = exemple
no-trends = Aucune tendance pour l’instant.
category-trend-radar = Radar des tendances
category-hallucinations = Hallucinations
category-rag-failures = Échecs de la recherche documentaire
category-prompt-injection = Injection d’instructions
category-data-leaks = Fuites de données
category-bias = Biais
category-regulation = Réglementation
category-safety = Sécurité
category-other = Autres sujets
kind-news = Actualité
kind-research = Recherche
kind-regulation = Réglementation
kind-industry = Secteur
kind-community = Communauté
kind-knowledge = Base de connaissances
