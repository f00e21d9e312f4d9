note-connected = La destination est connectée.
note-disconnected = La destination n’est plus connectée.
note-target-works = La destination a accepté les identifiants.
note-target-refuses = La destination n’a pas accepté les identifiants : la raison figure ci-dessous.
note-target-on = La destination est activée.
note-target-off = La destination est désactivée : rien n’y est publié tant qu’elle n’est pas réactivée.
publishing-targets = Destinations
publishing-no-targets = Rien n’est encore connecté. Connectez une destination pour pouvoir y publier des articles.
publishing-connected = connectée
publishing-failing = refuse les identifiants
publishing-off = désactivée
publishing-tested = Dernière vérification { $since }.
publishing-never-tested = Pas encore vérifiée.
publishing-test = Tester
publishing-test-named = Tester { $name }
publishing-switch-off = Désactiver
publishing-switch-off-named = Désactiver { $name }
publishing-switch-on = Activer
publishing-switch-on-named = Activer { $name }
publishing-edit = Modifier
publishing-edit-named = Modifier { $name }
publishing-disconnect = Déconnecter
publishing-disconnect-named = Déconnecter { $name }
publishing-connect = Connecter une destination
publishing-admins-connect = Les administrateurs de votre équipe connectent et modifient les destinations.
publishing-posts = Publications
publishing-status = État
publishing-target = Destination
publishing-no-posts = Aucune publication ne correspond.
publishing-newest = Les plus récentes
publishing-gone-target = { $provider }, n’est plus connectée
publishing-choose = Choisissez l’outil avec lequel vous publiez.
publishing-takes = Format accepté :
publishing-back = Retour à la publication
publishing-connect-title = Connecter { $name }
publishing-edit-title = Modifier { $name }
publishing-name = Nom
publishing-name-hint = Celui que votre équipe lui donne.
publishing-required = obligatoire
publishing-needed = Ce champ est obligatoire.
publishing-still-needed = Il manque encore : { $fields }.
publishing-not-kept = Rien n’est encore enregistré : voyez les champs ci-dessous. Saisissez de nouveau les secrets, car ils ne sont jamais renvoyés.
publishing-kept = conservé
publishing-kept-hint = Un secret est conservé. Laissez le champ vide pour le garder.
publishing-remove-secret = Supprimer le secret
publishing-map-hint = Une ligne par valeur : nom = valeur.
publishing-list-hint = Une valeur par ligne.
publishing-settings = Réglages
publishing-works = Cela fonctionne.
publishing-not-yet = Pas encore :
publishing-test-is-seen = Un test envoie un message visible chez le destinataire. La connexion le fait aussi.
publishing-save = Enregistrer
publishing-connect-now = Connecter
publishing-limits = Bon à savoir
publishing-title-max = Titres de { $count } caractères au maximum.
publishing-tags-max = { $count ->
    [one] Une étiquette au maximum.
   *[other] { $count } étiquettes au maximum.
}
publishing-disconnect-title = Déconnecter { $name } ?
publishing-disconnect-secrets = Ses identifiants sont oubliés. Cette action est irréversible.
publishing-disconnect-posts = { $count ->
    [one] Une publication y reste en ligne. Elle ne pourra plus être mise à jour, vérifiée ni retirée d’ici.
   *[other] { $count } publications y restent en ligne. Elles ne pourront plus être mises à jour, vérifiées ni retirées d’ici.
}
publishing-disconnect-pending = { $count ->
    [one] Une publication est en cours ou attend son heure : elle échouera.
   *[other] { $count } publications sont en cours ou attendent leur heure : elles échoueront.
}
publishing-disconnect-instead = Pour suspendre la publication, désactivez plutôt la destination.
publishing-disconnect-now = Déconnecter
publishing-keep = La garder
