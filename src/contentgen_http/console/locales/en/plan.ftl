plan-title = The plan
plan-topic = Topic: { $topic }
plan-faults = { $count ->
    [one] One entry has to be changed.
   *[other] { $count } entries have to be changed.
}
plan-coverage = { $level }
plan-provisional = Documents were still being read when the sources were chosen; a new plan may find others.
plan-forecast = Words the sources carry
plan-headline = Title
plan-update = Update the forecast
plan-approve = Approve and write
plan-section = Section { $number }
plan-heading = Heading
plan-place = Place
plan-words = Words
plan-carries = { $words ->
    [one] Its sources carry about one word.
   *[other] Its sources carry about { $words } words.
}
plan-not-held = The knowledge base has nothing on this.
plan-point-not-held = The knowledge base has nothing on: { $point }
plan-points = Key points, one a line
plan-sources = { $count ->
    [one] One source
   *[other] { $count } sources
}
plan-up = Move up
plan-down = Move down
plan-remove = Remove
plan-add-section = Add a section
plan-add = Add
plan-questions = Questions at the end
plan-question = Question { $number }
plan-new-question = Another question
plan-each = Words that the sources of each section carry:
plan-gaps = { $count ->
    [one] The knowledge base has nothing on one of your additions.
   *[other] The knowledge base has nothing on { $count } of your additions.
}
plan-empty = The plan has no section. Add one, have another plan made, or see what the sources cover.
plan-see-coverage = See the coverage, and look for sources
plan-again = Plan anew
plan-again-text = Another plan is made of the same topic from what your sources hold now, in the place of this one, which is deleted with your changes. It counts as one of the month's articles.
plan-again-yes = Plan it anew
plan-discard = Discard the plan
plan-overtaken = Somebody else changed this plan while you were editing. What you typed is still here and is not saved yet; their plan stands below.
plan-theirs = The plan as they saved it
plan-keep-mine = Put mine in its place
plan-take-theirs = Take theirs
note-plan-gone = This plan was approved or put away meanwhile; your last changes are not part of it.
plan-gone = Somebody approved this plan, or put it away, while you were editing. What you typed is still here, but is no part of the article: copy what you need.
plan-to-article = To the article
