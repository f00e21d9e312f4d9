home-title = Bonjour { $name }
home-first = Votre premier article en trois étapes : demander, voir la couverture, rédiger
home-ask = Sur quoi voulez-vous écrire ?
home-no-agents = Activez d’abord une niche ; ses agents pourront alors rédiger.
home-needed = À vous de jouer
home-quiet = Rien ne vous attend.
home-plans = Plans à relire
home-updates = Articles dont les sources ont changé
home-sentences = { $count ->
    [one] une phrase
   *[other] { $count } phrases
}
home-outage = Le modèle ne répond pas. Les articles en cours l’attendent et reprendront d’eux-mêmes.
home-failed = Rédaction impossible
home-sources = Sources à vérifier
home-recent = Activité récente
home-nothing = Rien pour l’instant.
home-quotas = Votre formule
note-planned = Le plan est prêt. Modifiez ce que vous voulez, puis lancez la rédaction.
note-writing = L’article est en cours de rédaction.
note-saved = Enregistré. Les phrases ont été vérifiées de nouveau.
home-examples = Ou commencez par ce dont parlent vos sources :
home-untitled = Sans titre
home-reviews = Articles à valider
home-posts = Publications en échec ou d’issue inconnue
home-conflicts = Sources qui se contredisent
home-against = contre
home-others = En attente de validation par d’autres
