articles-search = Mots
articles-status = État
articles-niche = Niche
articles-all = Tous
articles-show = Afficher
articles-count = { $count ->
    [one] Un article
   *[other] { $count } articles
}
articles-pages = Pages
articles-newer = Plus récents
articles-older = Plus anciens
articles-page = Page { $page } sur { $pages }
articles-writing = Rédigé à { $percent } %
articles-progress = Avancement de la rédaction
articles-failed = L’article n’a pas pu être rédigé.
articles-reload = Recharger cette page
articles-words = { $count ->
    [one] un mot
   *[other] { $count } mots
}
articles-edit = Modifier le texte
articles-supported = { $share } des { $count } phrases sont étayées par leur source.
articles-passages = Les passages sur lesquels reposent les phrases
articles-sentence = Phrase { $number }
articles-no-passage = Aucun passage n’est cité.
articles-missing-facts = Absent du passage : { $facts }
articles-posts = Publié sur
articles-text = Texte
articles-text-hint = Markdown. Les renvois comme [1] mènent aux sources ; les phrases que vous modifiez sont vérifiées de nouveau.
articles-save = Enregistrer
articles-cancel = Annuler
articles-edit-overtaken = Quelqu’un d’autre a enregistré cet article pendant que vous le modifiiez. Votre texte est conservé ci-dessous ; le sien figure en dessous. Réunissez-les, puis enregistrez.
articles-theirs = Le texte tel qu’il est maintenant
grounding-full = Entièrement étayé.
grounding-partial = Étayé en partie.
grounding-none = Rédigé sans source.
verdict-supported = étayée
verdict-unsupported = non étayée
verdict-outOfContext = hors contexte
verdict-unsourced = sans source
