insight-period = Mois
insight-last = { $count ->
    [one] Ce mois-ci
   *[other] Les { $count } derniers mois
}
insight-by = Le tableau est établi par
insight-what = Un article compte dans le mois où sa rédaction s’est achevée, et reste dans ces chiffres s’il est supprimé. Les jetons et le coût sont ceux du plan et de la rédaction.
insight-articles = Articles
insight-failed = En échec
insight-words = Mots
insight-coverage = Couverture
insight-support = Phrases étayées
insight-tokens = Jetons
insight-cost = Coût
insight-picture = { $what } : une barre par mois. Le tableau ci-dessous donne les chiffres.
insight-table = Les chiffres en tableau
insight-parts = Les chiffres par { $by }
insight-total = Ensemble
insight-without = sans
insight-unknown = inconnu
insight-nothing = Rien n’a été rédigé pendant ces mois.
insight-no-prices = Aucun coût n’est connu : l’exploitant du service n’a pas fixé de prix pour les jetons.
insight-download = Le tableau en fichier (CSV)
insight-queue = La file d’attente
insight-waiting = { $count ->
    [0] Aucune tâche n’attend.
    [one] Une tâche attend.
   *[other] { $count } tâches attendent.
}
insight-running = { $count ->
    [0] Aucune n’est en cours.
    [one] Une est en cours.
   *[other] { $count } sont en cours.
}
insight-oldest = Première échéance de la file : { $since }.
insight-recent = Où est passé le temps d’un article
by-month = Mois
by-agent = Agent
by-model = Modèle
by-tenant = Équipe
trace-title = Où sont passés le temps et l’argent
trace-work = Le travail a pris { $work } ; de la première étape à la dernière, il s’est écoulé { $passed }.
trace-tokens = { $model } : { $read } jetons lus, { $written } écrits.
trace-cached = Parmi les jetons lus, le fournisseur en avait gardé { $cached }.
trace-cost = Coût : { $cost }.
trace-stages = Les étapes
trace-axis = Les étapes sur un même axe de temps de travail. Les pauses entre elles sont omises.
trace-stage = Étape
trace-when = Quand
trace-seconds = Secondes
trace-attempt = essai { $number }
trace-none = Aucune étape n’est conservée pour cet article : il a été rédigé avant qu’elles le soient, ou ailleurs.
trace-sources = Sources
trace-plan = Plan
trace-section = Section
trace-check = Vérification de l’ensemble
