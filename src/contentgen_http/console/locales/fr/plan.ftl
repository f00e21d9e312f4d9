plan-title = Plan
plan-topic = Sujet : { $topic }
plan-faults = { $count ->
    [one] Une saisie est à corriger.
   *[other] { $count } saisies sont à corriger.
}
plan-coverage = { $level }
plan-provisional = Des documents étaient encore en cours de lecture au moment du choix des sources ; un nouveau plan peut en trouver d’autres.
plan-forecast = Longueur possible
plan-headline = Titre
plan-update = Recalculer la prévision
plan-approve = Valider et rédiger
plan-section = Section { $number }
plan-heading = Intertitre
plan-place = Position
plan-words = Mots
plan-carries = { $words ->
    [one] Longueur possible : environ un mot.
   *[other] Longueur possible : environ { $words } mots.
}
plan-not-held = La base de connaissances ne contient rien à ce sujet.
plan-point-not-held = La base de connaissances ne contient rien sur : { $point }
plan-points = Points clés, un par ligne
plan-sources = { $count ->
    [0] Aucune source
    [one] Une source
   *[other] { $count } sources
}
plan-up = Monter
plan-down = Descendre
plan-remove = Retirer
plan-add-section = Ajouter une section
plan-add = Ajouter
plan-questions = Questions à la fin
plan-question = Question { $number }
plan-new-question = Nouvelle question
plan-each = Longueur possible de chaque section, en mots :
plan-gaps = { $count ->
    [one] La base de connaissances ne contient rien sur l’un de vos ajouts.
   *[other] La base de connaissances ne contient rien sur { $count } de vos ajouts.
}
plan-empty = Le plan ne contient aucune section. Ajoutez-en une, demandez un nouveau plan, ou vérifiez la couverture.
plan-see-coverage = Vérifier la couverture et chercher des sources
plan-again = Nouveau plan
plan-again-text = Un nouveau plan est établi sur le même sujet, d’après le contenu actuel de vos sources. Il remplace celui-ci et vos modifications, et compte comme un des articles du mois.
plan-again-yes = Établir un nouveau plan
plan-discard = Abandonner le plan
plan-overtaken = Quelqu’un d’autre a modifié ce plan en même temps que vous. Ce que vous avez saisi est toujours là, mais n’est pas encore enregistré ; l’autre version figure ci-dessous.
plan-theirs = Le plan tel qu’il est enregistré
plan-keep-mine = Remplacer par ma version
plan-take-theirs = Prendre l’autre version
note-plan-gone = Ce plan a été validé ou abandonné entre-temps ; vos dernières modifications n’y figurent pas.
plan-gone = Quelqu’un a validé ou abandonné ce plan pendant que vous le modifiiez. Ce que vous avez saisi est toujours là, mais ne fait pas partie de l’article : copiez ce dont vous avez besoin.
plan-to-article = Aller à l’article
