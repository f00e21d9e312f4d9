home-title = Bonjour { $name }
home-first = Votre premier article en trois étapes : indiquer un sujet, vérifier sa couverture, rédiger
home-ask = Sur quoi voulez-vous écrire ?
home-no-agents = Activez d’abord une niche ; ses agents pourront alors rédiger.
home-needed = À faire
home-quiet = Rien à faire.
home-plans = Plans à relire
home-updates = Articles dont les sources ont changé
home-sentences = { $count ->
    [one] une phrase
   *[other] { $count } phrases
}
home-outage = Le modèle ne répond pas. Les articles en cours sont en attente et reprendront automatiquement.
home-failed = Articles qui n’ont pas pu être rédigés
home-sources = Sources à vérifier
home-recent = Activité récente
home-nothing = Rien pour l’instant.
home-quotas = Votre formule
note-planned = Le plan est prêt. Modifiez-le si besoin, puis validez-le pour lancer la rédaction.
note-writing = L’article est en cours de rédaction.
note-saved = Enregistré. Les phrases ont été vérifiées de nouveau.
home-examples = Ou partez d’un sujet traité par vos sources :
home-untitled = Sans titre
home-reviews = Articles à valider
home-posts = Publications en échec ou au statut inconnu
home-conflicts = Sources contradictoires
home-against = contre
home-others = En attente de validation par d’autres
