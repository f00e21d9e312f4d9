# Textes communs à toutes les pages.
skip = Aller au contenu
menu = Menu
nav-home = Accueil
nav-coverage = Couverture
nav-articles = Articles
nav-publishing = Publication
nav-settings = Paramètres
signed-in-as = { $name }, équipe { $team }
sign-out = Se déconnecter
sign-out-everywhere = Se déconnecter partout
footer = Chaque phrase repose sur une source que vous pouvez consulter.

state-draft = plan à relire
state-generating = en rédaction
state-generated = rédigé
state-scheduled = programmé
state-published = publié
state-failed = en échec
state-pending = en cours
state-unknown = inconnu
state-removed = retiré

level-excellent = Excellente couverture
level-good = Bonne couverture
level-low = Faible couverture
level-insufficient = Non couvert

length-short = Court
length-standard = Standard
length-long = Long
length-very_long = Très long

quota-articles = Articles ce mois-ci
quota-agents = Agents
quota-coverageChecks = Vérifications du jour
quota-enrichments = Enrichissements
quota-translationCredits = Traductions
quota-documents = Documents privés
quota-integrations = Intégrations
quota-teamMembers = Membres de l’équipe
quota-used = { $used } sur { $limit }

error-title = Cela n’a pas fonctionné
error-home = Retour à l’accueil
error-request-id = Si vous demandez de l’aide, indiquez ce numéro : { $id }
error-internal = Une erreur s’est produite de notre côté. À notre connaissance, rien n’est perdu.
error-request = Cette page ne peut pas être demandée de cette façon.
error-404 = Il n’y a rien à cette adresse.
error-413 = C’est plus que cette page n’accepte en une fois : 2 Mo au maximum.
error-not-found = Cela n’existe pas, ou appartient à une autre équipe.
error-not-permitted = Votre rôle ne le permet pas. Adressez-vous à un administrateur de votre équipe.
error-session-ended = Votre session a pris fin. Reconnectez-vous dans un autre onglet, puis recommencez : ce que vous avez saisi est toujours là.
error-last-owner = Une équipe garde toujours un propriétaire. Nommez d’abord un autre propriétaire.
error-already-exists = Ce nom ou cette adresse existe déjà.
error-concurrent-change = Quelqu’un d’autre a modifié ceci entre-temps. Rechargez la page pour le voir.
error-quota-exceeded = Le quota de votre formule est épuisé.
error-daily-quota-exceeded = Le quota du jour de votre formule est épuisé.
error-plan-restriction = Votre formule ne comprend pas cette fonction.
error-coverage-too-low = La base de connaissances ne contient pas assez sur ce sujet. Ajoutez des sources ou choisissez un autre sujet.
error-rate-limited = Trop de demandes en une minute. Patientez un instant.
error-tenant-suspended = Cette équipe est suspendue. Rien n’est perdu : adressez-vous à l’exploitant du service.
error-unauthenticated = Cette clé est inconnue, expirée ou révoquée.
error-sign-in-invalid = Ce lien n’est plus utilisable : chacun sert une seule fois, pendant 20 minutes. Demandez-en un nouveau.
error-foreign-form = Cette page date d’avant votre connexion, ou vient d’un autre site. Rechargez-la.
error-topic-already-generating = Un article sur ce sujet est déjà en cours de rédaction.
error-agent-switched-off = Cet agent est désactivé.
error-no-plan-awaiting-review = Aucun plan de cet article n’attend plus de relecture.

kept-title = Votre session a pris fin
kept-text = Rien de ce que vous avez saisi n’est perdu. Reconnectez-vous, puis continuez.
kept-sign-in = Se connecter, dans un nouvel onglet
kept-continue = Je suis connecté : continuer
resume-title = Bon retour
resume-text = Ce que vous aviez saisi avant la fin de votre session est conservé. Envoyez-le maintenant.
resume-send = Envoyer
somebody = une personne partie depuis
