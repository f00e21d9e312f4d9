nav-knowledge-documents = Documents
knowledge-add = Ajouter un document
knowledge-words-of-title = Mots du titre
knowledge-title = Titre
knowledge-private = Vos documents
knowledge-origin = Provenance
knowledge-origin-import = importé
knowledge-origin-web = trouvé sur le web
knowledge-origin-ai = écrit par un modèle
knowledge-origin-document = ajouté par votre équipe
knowledge-language = Langue
knowledge-age = Âge
knowledge-state = État
knowledge-state-processing = en cours de lecture
knowledge-state-ready = consultable
knowledge-state-failed = illisible
knowledge-state-revised = modifié { $when }
knowledge-passages-count = Passages
knowledge-count = { $count ->
    [one] Un document
   *[other] { $count } documents
}
knowledge-count-more = Plus de { $count } documents. Cherchez des mots, ou choisissez une provenance ou une langue, pour voir les autres.
knowledge-none = Aucun document ne correspond.
knowledge-preparing = En route vers la base de connaissances
knowledge-being-read = { $count ->
    [one] Un document est en cours de lecture.
   *[other] { $count } documents sont en cours de lecture.
}
knowledge-not-read = { $count ->
    [one] Un document n’a pas pu être lu :
   *[other] { $count } documents n’ont pas pu être lus :
}
knowledge-all-read = Tous les documents sont lus.
knowledge-show-documents = Les afficher
knowledge-about = À propos de ce document
knowledge-belongs-to = Appartient à
knowledge-yours = votre équipe
knowledge-everybodys = tous ceux qui utilisent cette niche
knowledge-author = Auteur
knowledge-published = Publié
knowledge-fetched = Récupéré
knowledge-since = Ajouté
knowledge-revised = Dernière modification
knowledge-address = Adresse
knowledge-file = Fichier
knowledge-size = Taille
knowledge-kilobytes = { $size } Ko
knowledge-words = Mots
knowledge-articles = Articles qui reposent sur lui
knowledge-no-articles = Aucun article ne cite ce document.
knowledge-versions = Versions
knowledge-version-now = Tel qu’il est depuis le { $since }
knowledge-version = du { $since } au { $until }
knowledge-former-text = Voici ce qu’il disait du { $since } au { $until }.
knowledge-text = Texte
knowledge-passages-shown = Passages { $first } à { $last } sur { $total }
knowledge-before = Avant
knowledge-after = Après
knowledge-delete = Supprimer
knowledge-delete-title = Supprimer ce document ?
knowledge-delete-text = Aucune recherche ne le trouvera plus, et aucun article ne sera plus rédigé à partir de lui. Cette suppression est définitive.
knowledge-delete-articles = { $count ->
    [one] Cet article repose sur lui. Il garde son texte et ce qu’il cite :
   *[other] Ces { $count } articles reposent sur lui. Ils gardent leur texte et ce qu’ils citent :
}
knowledge-add-files = Fichiers
knowledge-choose-files = Choisissez des fichiers, ou déposez-les ici
knowledge-file-hint = PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, HTML, Markdown, texte ou CSV ; moins de { $most } Mo chacun.
knowledge-send-files = Ajouter les fichiers
knowledge-sending = est en cours d’envoi
knowledge-lost = Le service ne répond pas. Le fichier n’a pas été ajouté : déposez-le de nouveau dans un instant.
knowledge-file-added = est ajouté et en cours de lecture.
knowledge-file-fault = { $name } : { $fault }
knowledge-empty-file = Ce fichier est vide.
knowledge-no-file = Choisissez d’abord un fichier.
knowledge-too-many-files = { $most } fichiers au plus en une fois. Envoyez les autres ensuite.
knowledge-too-large = Cela fait { $size } Mo, et la console accepte moins de { $most } Mo. Divisez-le, ou envoyez-le par l’API, qui accepte jusqu’à { $api } Mo.
knowledge-request-too-large = Cela fait plus de { $most } Mo en tout, et rien n’a été ajouté. Envoyez moins de fichiers à la fois, ou des parties plus petites.
knowledge-add-address = Une page du web
knowledge-address-hint = La page, ou le PDF, qui se trouve à cette adresse est lue une fois.
knowledge-add-page = Ajouter la page
knowledge-add-text = Un texte
knowledge-text-hint = Texte brut ou Markdown, moins de { $most } Mo.
knowledge-no-text = Il n’y a pas encore de texte.
note-documents-added = C’est ajouté. La lecture est en cours, et tout sera consultable dans un instant.
note-document-deleted = Le document est supprimé.
knowledge-there-already = Cela existe déjà ; rien n’a été ajouté une deuxième fois.
