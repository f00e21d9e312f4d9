insight-period = Mois
insight-last = { $count ->
    [one] Ce mois-ci
   *[other] Les { $count } derniers mois
}
insight-by = Regrouper par
insight-what = Un article compte dans le mois où sa rédaction s’est achevée, et reste dans ces chiffres s’il est supprimé. Les jetons et le coût sont ceux du plan et de la rédaction.
insight-articles = Articles
insight-failed = En échec
insight-words = Mots
insight-coverage = Couverture
insight-support = Phrases étayées
insight-tokens = Jetons
insight-cost = Coût
insight-picture = { $what } : une barre par mois. Le tableau ci-dessous donne les chiffres.
insight-table = Chiffres en tableau
insight-parts = Chiffres par { $by }
insight-total = Total
insight-without = aucun
insight-unknown = inconnu
insight-nothing = Rien n’a été rédigé pendant ces mois.
insight-no-prices = Le coût n’est pas connu : l’exploitant du service n’a pas fixé de prix pour les jetons.
insight-download = Télécharger le tableau (CSV)
insight-queue = File d’attente
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
insight-recent = Temps passé sur les derniers articles
by-month = Mois
by-agent = Agent
by-model = Modèle
by-tenant = Équipe
trace-title = Temps et coût
trace-work = Temps de travail : { $work }. De la première à la dernière étape : { $passed }.
trace-tokens = { $model } : { $read } jetons lus, { $written } écrits.
trace-cached = Dont { $cached } jetons lus depuis le cache du fournisseur.
trace-cost = Coût : { $cost }.
trace-stages = Étapes
trace-axis = Les étapes sur un même axe de temps de travail. Les pauses entre elles sont omises.
trace-stage = Étape
trace-when = Quand
trace-seconds = Secondes
trace-attempt = essai { $number }
trace-none = Aucune étape n’a été enregistrée pour cet article : il est antérieur à ce suivi, ou n’a pas été rédigé ici.
trace-sources = Sources
trace-plan = Plan
trace-section = Section
trace-check = Vérification finale
