plan-title = Plan
plan-topic = Topic: { $topic }
plan-faults = { $count ->
    [one] One entry has to be changed.
   *[other] { $count } entries have to be changed.
}
plan-coverage = { $level }
plan-provisional = Documents were still being read when the sources were chosen; a new plan may find more.
plan-forecast = Possible length
plan-headline = Title
plan-update = Update the forecast
plan-approve = Approve and write
plan-section = Section { $number }
plan-heading = Heading
plan-place = Position
plan-words = Words
plan-carries = { $words ->
    [one] Possible length: about one word.
   *[other] Possible length: about { $words } words.
}
plan-not-held = The knowledge base contains nothing on this.
plan-point-not-held = The knowledge base contains nothing on: { $point }
plan-points = Key points, one per line
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
plan-new-question = New question
plan-each = Possible length of each section, in words:
plan-gaps = { $count ->
    [one] The knowledge base contains nothing on one of your additions.
   *[other] The knowledge base contains nothing on { $count } of your additions.
}
plan-empty = The plan has no sections. Add one, request a new plan, or check the coverage.
plan-see-coverage = Check the coverage and find sources
plan-again = New plan
plan-again-text = A new plan on the same topic is made from what your sources contain now. It replaces this one and your changes to it, and counts as one of the month’s articles.
plan-again-yes = Make a new plan
plan-discard = Discard the plan
plan-overtaken = Someone else changed this plan while you were editing. What you entered is still here but not saved yet; their version is below.
plan-theirs = The plan as they saved it
plan-keep-mine = Replace it with mine
plan-take-theirs = Use theirs
note-plan-gone = This plan was approved or discarded in the meantime; your last changes are not part of it.
plan-gone = Someone approved or discarded this plan while you were editing. What you entered is still here but not part of the article: copy what you need.
plan-to-article = Go to the article
