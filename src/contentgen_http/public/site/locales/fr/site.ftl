# Les pages publiques.
skip = Aller au contenu
menu = Pages
articles = Articles
radar = Radar des tendances
feed = Flux
sign-in = Se connecter
footer = { $name } · Des articles qui disent sur quoi ils reposent.
promise = Des articles qui disent sur quoi ils reposent : chaque affirmation avec sa source.
newest = Derniers articles
nothing-yet = Rien n’est public pour l’instant.
trends = Tendances
whole-radar = Tout le radar
search = Recherche
category = Sujets
language = Langues
all-categories = Tous les sujets
all-languages = Toutes les langues
find = Chercher
found = { $count ->
    [0] Aucun article ne correspond.
    [one] Un article
   *[other] { $count } articles
  }
pages = Pages de la liste
newer = Articles plus récents
older = Articles plus anciens
page-of = Page { $page } sur { $pages }
follow = Suivre ces articles dans un lecteur de flux
minutes = { $count } min
related = Articles proches
radar-reads = Ce dont plusieurs sources parlent en ce moment. Plus une tendance est près du centre, plus son score est élevé ; chaque thématique a son secteur.
radar-picture = Les tendances sur un radar ; le tableau ci-dessous dit la même chose en mots.
rank = N°
trend = Tendance
niche = Thématique
kind = Genre
score = Score
sources = Sources
sample = exemple
no-trends = Il n’y a pas encore de tendances.
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
