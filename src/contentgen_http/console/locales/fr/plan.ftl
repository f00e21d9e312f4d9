plan-title = Le plan
plan-topic = Sujet : { $topic }
plan-faults = { $count ->
    [one] Une saisie est à corriger.
   *[other] { $count } saisies sont à corriger.
}
plan-coverage = { $level }
plan-provisional = Des documents étaient encore en cours de lecture au moment du choix des sources ; un nouveau plan peut en trouver d’autres.
plan-forecast = Mots que portent les sources
plan-headline = Titre
plan-update = Recalculer la prévision
plan-approve = Approuver et rédiger
plan-section = Section { $number }
plan-heading = Intertitre
plan-place = Place
plan-words = Mots
plan-carries = { $words ->
    [one] Ses sources portent environ un mot.
   *[other] Ses sources portent environ { $words } mots.
}
plan-not-held = La base de connaissances ne contient rien à ce propos.
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
plan-new-question = Une autre question
plan-each = Mots que portent les sources de chaque partie :
plan-gaps = { $count ->
    [one] La base de connaissances n’a rien sur l’un de vos ajouts.
   *[other] La base de connaissances n’a rien sur { $count } de vos ajouts.
}
plan-empty = Le plan n’a aucune partie. Ajoutez-en une, faites refaire le plan, ou voyez ce que couvrent les sources.
plan-see-coverage = Voir la couverture et chercher des sources
plan-again = Refaire le plan
plan-again-text = Un autre plan est établi sur le même sujet d’après ce que contiennent vos sources aujourd’hui, à la place de celui-ci, qui est supprimé avec vos modifications. Il compte comme un des articles du mois.
plan-again-yes = Refaire le plan
plan-discard = Abandonner le plan
plan-overtaken = Quelqu’un d’autre a modifié ce plan pendant que vous le modifiiez. Ce que vous avez saisi est toujours là, mais n’est pas encore enregistré ; son plan figure ci-dessous.
plan-theirs = Le plan tel qu’il est enregistré
plan-keep-mine = Le remplacer par le mien
plan-take-theirs = Prendre le sien
note-plan-gone = Ce plan a été approuvé ou écarté entre-temps ; vos dernières modifications n’y figurent pas.
plan-gone = Quelqu’un a approuvé ou écarté ce plan pendant que vous le modifiiez. Ce que vous avez saisi est toujours là, mais ne fait pas partie de l’article : copiez ce dont vous avez besoin.
plan-to-article = Vers l’article
