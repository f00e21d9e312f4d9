plan-title = The plan
plan-topic = Topic: { $topic }
plan-faults = { $count ->
    [one] One entry has to be changed.
   *[other] { $count } entries have to be changed.
}
plan-coverage = { $level }
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
