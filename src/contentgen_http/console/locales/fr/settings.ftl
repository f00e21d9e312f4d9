settings-profile = Profil
settings-team = Équipe
settings-keys = Clés API
settings-save = Enregistrer
settings-keep = Retour
settings-for-admins = Seuls les administrateurs et les propriétaires de l’équipe peuvent modifier ceci.
note-settings-saved = Enregistré.

settings-you = Vous
settings-name = Votre nom
settings-language = Langue
settings-language-label = Langue de ces pages dans ce navigateur
settings-your-team = Votre équipe
settings-team-name = Nom de l’équipe
settings-zone = Fuseau horaire
settings-zone-hint = Pour les heures affichées et les nouvelles planifications, par exemple Europe/Paris ; vide pour UTC.

role-may-owner = Propriétaire : peut tout faire, et choisit les autres propriétaires.
role-may-admin = Administrateur : gère aussi l’équipe, les clés, les intégrations et les paramètres.
role-may-editor = Rédacteur : rédige, planifie et publie.
role-may-viewer = Lecteur : peut seulement lire.
settings-members = Membres
settings-thats-you = (vous)
settings-last-active = clé utilisée { $when }
settings-never-active = aucune clé utilisée
settings-role = Rôle
settings-role-of = Rôle de { $name }
settings-change-role = Changer
settings-change-role-of = Changer le rôle de { $name }
settings-remove = Retirer
settings-remove-name = Retirer { $name }
settings-remove-ask = Retirer { $name } de l’équipe ?
settings-remove-hint = Ses clés et ses sessions prennent fin en une seconde, et ses invitations en attente sont annulées. Ce que cette personne a rédigé est conservé.
settings-invitations = Invitations en attente
settings-until = jusqu’au { $when }
settings-cancel-invitation = Annuler l’invitation
settings-cancel-name = Annuler l’invitation de { $name }
settings-cancel-ask = Annuler l’invitation de { $name } ?
settings-invite = Inviter quelqu’un
settings-invite-email = Adresse e-mail
settings-send-invitation = Envoyer l’invitation
settings-invited = { $email } a reçu une invitation.
settings-invite-link = Un e-mail contenant ce lien est en route. Le lien sert une seule fois, dans les 7 jours. Copiez-le si vous souhaitez le transmettre vous-même : il ne sera plus affiché.
invitation-pending = e-mail en route
invitation-sent = e-mail envoyé
invitation-failed = l’e-mail n’a pas pu être envoyé : invitez de nouveau
invitation-logged = aucun serveur de messagerie : transmettez le lien vous-même
note-role-changed = Le rôle est modifié.
note-removed = Retiré.

settings-new-key = La clé { $name } est créée.
settings-shown-once = Copiez-la maintenant : elle n’est affichée qu’une seule fois et ne pourra plus être relue.
settings-no-keys = Aucune clé pour l’instant.
settings-made = créée le { $when }
settings-last-used = utilisée { $when }
settings-never-used = jamais utilisée
settings-key-revoked = révoquée
settings-key-expired = expirée
settings-revoke = Révoquer
settings-revoke-name = Révoquer { $name }
settings-revoke-ask = Révoquer la clé { $name } ?
settings-revoke-hint = Elle cesse de fonctionner en une seconde, définitivement. Tout ce qui l’utilise sera refusé.
settings-revoke-own-hint = Vous êtes connecté avec cette clé : votre session prend fin avec elle.
settings-make-key = Créer une clé
settings-key-name = Usage
settings-key-name-hint = Pour savoir plus tard laquelle révoquer.
settings-key-owner = Propriétaire de la clé
settings-key-expires = Dernier jour de validité (vide : sans fin)
note-revoked = La clé est révoquée.

settings-fault-name = Un nom comporte entre 1 et 100 caractères.
settings-fault-timeZone = Ce n’est pas un fuseau horaire. Choisissez-en un dans la liste, par exemple Europe/Paris.
settings-fault-email = Ce n’est pas une adresse e-mail.
settings-fault-expiresAt = Le dernier jour doit être dans le futur.

member-owner = Propriétaire
member-admin = Administrateur
member-editor = Rédacteur
member-viewer = Lecteur

settings-plan = Formule et limites
settings-plan-name = Votre formule : { $plan }
settings-resets = remis à zéro le { $when }
settings-unlimited = { $used } utilisés, sans limite
settings-not-included = non compris
settings-includes = Ce qu’elle comprend
settings-what = Fonction
settings-lengths = Longueurs d’articles
settings-diagrams = Diagrammes
settings-own-niches = Niches personnalisées
settings-premium-search = Recherche web premium
settings-bypass = Rédaction malgré une faible couverture
settings-freshness = La couverture des sujets peut être recalculée après
settings-hours = { $unit ->
    [days] { $count ->
        [one] 1 jour
       *[other] { $count } jours
    }
   *[hours] { $count ->
        [one] 1 heure
       *[other] { $count } heures
    }
}
settings-requests = Requêtes à l’API par minute
settings-yes = oui
settings-no = non
settings-plan-change = Seul l’exploitant de ce service peut changer la formule.

settings-budgets = Budgets
settings-fault-amount = Saisissez un nombre supérieur ou égal à 0.
settings-fault-currency = L’exploitant n’a fixé aucun prix dans cette devise : saisissez le budget en jetons.
budget-what = Ce que les modèles de langage peuvent consommer par mois. Un article qui pourrait dépasser le budget n’est pas commencé et n’est pas décompté de votre formule.
budget-none = Aucun budget n’est fixé.
budget-team = Équipe
budget-of-agent = Fixer le budget d’un agent
budget-limit = Limite par mois
budget-limit-hint = Laissez vide pour supprimer le budget.
budget-unit = Unité
settings-tokens-count = { $count ->
    [one] { $count } jeton
   *[other] { $count } jetons
}
budget-left = reste { $left } sur { $limit }
budget-spent = Dépensé ce mois-ci : { $spent }.
budget-reserved = Réservé aux articles en cours de rédaction : { $reserved }.

settings-voices = Voix
settings-voices-hint = Le ton de vos articles : mesuré dans vos textes et décrit en quelques mots.
settings-no-voices = Aucune voix pour l’instant.
settings-is-default = utilisée quand un article n’en précise aucune
settings-make-voice = Créer une voix
settings-voice-language = Langue
settings-voice-name = Nom
settings-guide = Description
settings-guide-hint = Consignes pour le modèle, par exemple : des mots simples, sans emphase.
settings-use = Termes à employer, un par ligne
settings-avoid = Termes à éviter, un par ligne
settings-samples = Texte d’exemple
settings-samples-hint = 50 mots ou plus. Il est mesuré, mais pas conservé ; un nouvel exemple remplace les mesures précédentes.
settings-voice-default = L’utiliser quand un article n’en précise aucune
settings-measured = Mesuré sur { $words } mots et { $sentences } phrases
settings-not-measured = Aucune mesure : il n’y a pas d’exemple.
settings-habit = Caractéristique
settings-value = Valeur
settings-sentence-words = Mots par phrase
settings-paragraph-sentences = Phrases par paragraphe
settings-questions = Questions
settings-person = Personne employée
person-i = je
person-we = nous
person-you = vous ou tu
person-impersonal = impersonnel
settings-formality = Registre
formality-formal = soutenu
formality-informal = familier
settings-spelling = Orthographe
spelling-british = britannique
spelling-american = américaine
settings-frequent = Mots les plus fréquents
settings-try = Essayer la voix
settings-try-text = Texte à comparer
settings-compare = Comparer
settings-fits = Le texte correspond à cette voix.
settings-deviates = { $count ->
    [one] Le texte s’écarte de cette voix sur un point :
   *[other] Le texte s’écarte de cette voix sur { $count } points :
}
settings-change-voice = Modifier la voix
settings-forget-samples = Supprimer les mesures
settings-delete = Supprimer
settings-voice-delete-ask = Supprimer la voix { $name } ?
settings-voice-delete-hint = Les articles déjà demandés la conservent.
note-deleted = Supprimé.

settings-webhooks = Webhooks
settings-webhooks-hint = Adresses qui reçoivent des messages signés pour chaque événement.
settings-no-webhooks = Aucun webhook pour l’instant.
settings-disabled = désactivé
settings-disabled-because = Raison de la désactivation :
settings-failing = en échec depuis { $when }
settings-make-webhook = Créer un webhook
settings-change-webhook = Modifier le webhook
settings-webhook-name = Nom
settings-webhook-url = Adresse
settings-events = Événements
settings-events-hint = Si aucun n’est coché : tous les événements, y compris les types à venir.
settings-enabled = Activé
settings-secret = Secret de signature
settings-secret-hint = Copiez-le maintenant : il n’est affiché qu’une seule fois. Le destinataire s’en sert pour vérifier les messages.
settings-former-until = les messages portent aussi l’ancienne signature jusqu’au { $when }
settings-send-test = Envoyer un test
settings-tested = Résultat du test
settings-rotate = Nouveau secret
settings-replay-failed = Renvoyer ce qui a échoué
settings-replayed = { $count ->
    [0] Aucun événement en échec.
    [one] Un événement est renvoyé.
   *[other] { $count } événements sont renvoyés.
}
settings-replayed-more = Il en reste peut-être : recommencez quand ceux-ci auront été envoyés.
settings-deliveries = Envois
settings-all = Tous
settings-no-deliveries = Aucun envoi.
settings-attempts = { $count ->
    [0] Aucune tentative
    [one] Une tentative
   *[other] { $count } tentatives
}
settings-next-attempt = Prochaine tentative le { $when }.
settings-send-again = Renvoyer
settings-body = Contenu du message
settings-field = Champ
settings-attempt-taken = accepté : { $status }
settings-attempt-status = refusé : { $status }
settings-attempt-none = aucune réponse
settings-milliseconds = { $count } ms
settings-webhook-delete-ask = Supprimer le webhook { $name } ?
settings-webhook-delete-hint = Ses envois sont supprimés aussi ; ceux en attente ne partiront pas.
delivery-waiting = en attente
delivery-delivered = remis
delivery-failed = en échec
note-sent-again = L’événement est renvoyé.

settings-fault-url = Le service ne peut pas envoyer à cette adresse : il faut une adresse publique en http ou https.
settings-fault-text = Un texte comporte entre 1 et 50 000 caractères.

settings-tenants = Équipes
settings-tenant-search = Partie d’un nom
settings-no-tenants = Aucune équipe ne porte un tel nom.
settings-since = depuis le { $when }
settings-suspended = suspendue
settings-suspended-since = Suspendue depuis le { $when } : ses clés sont refusées et ses planifications sont arrêtées.
settings-suspend = Suspendre
settings-suspend-ask = Suspendre l’équipe { $name } ?
settings-suspend-hint = Ses clés et ses sessions sont refusées dès la prochaine requête, et ses planifications ne démarrent plus. Rien n’est perdu ; vous pourrez la rétablir.
settings-resume = Rétablir
note-suspended = L’équipe est suspendue.
note-resumed = L’équipe est rétablie.
settings-members-count = { $count ->
    [one] Un membre. Propriétaires :
   *[other] { $count } membres. Propriétaires :
}
settings-tenant-plan = Formule
settings-tenant-used = Utilisation
settings-plans = Formules
settings-no-limit = sans limite
settings-reviews = Avis
settings-reviews-flagged = Masqués
settings-reviews-listed = Affichés
settings-no-reviews = Aucun avis.
settings-stars = { $count ->
    [one] une étoile
   *[other] { $count } étoiles
}
settings-review-list = Afficher
settings-review-list-name = Afficher l’avis { $name }
settings-review-hide = Masquer
settings-review-hide-name = Masquer l’avis { $name }
settings-review-delete-name = Supprimer l’avis { $name }
settings-review-delete-ask = Supprimer définitivement cet avis ?
note-hidden = L’avis est masqué.
note-listed = L’avis est affiché.
flag-link = contient un lien
flag-email = contient une adresse e-mail
flag-repetition = se répète
flag-suspicious = ressemble à du code
flag-moderator = masqué par un administrateur
settings-public = Articles publics
settings-public-search = Mots du titre ou du texte
settings-public-find = Rechercher
settings-public-none = Aucun article public ne correspond.
settings-public-hide = Masquer
settings-public-hide-name = Masquer { $name }
settings-public-hide-ask = Masquer « { $name } » pour tout le monde ?
settings-public-hide-hint = Son équipe le garde et peut demander qu’il soit de nouveau public. Les publications sur les cibles restent.
settings-trends = Tendances
settings-trends-table = Tableau des tendances
settings-trends-every = Les flux sont lus toutes les { $minutes } minutes.
settings-trends-by-command = Les flux sont lus quand l’exploitant lance la commande. Définissez CONTENTGEN_TRENDS_EVERY pour qu’ils soient lus automatiquement.
settings-trends-radar = Ouvrir le radar
settings-trends-none = Aucune tendance pour l’instant.
settings-trend = Tendance
settings-trend-niche = Niche
settings-trend-score = Score
settings-trend-sources = Sources
settings-trend-clicks = Clics
settings-trend-updated = Dernière lecture
