insight-period = Months
insight-last = { $count ->
    [one] This month
   *[other] The last { $count } months
}
insight-by = The table is by
insight-what = Articles count in the month in which their writing ended, and stay in these figures when they are deleted. Tokens and cost are those of planning and writing.
insight-articles = Articles
insight-failed = Failed
insight-words = Words
insight-coverage = Coverage
insight-support = Supported sentences
insight-tokens = Tokens
insight-cost = Cost
insight-picture = { $what }, a bar for each month. The table below has the figures.
insight-table = The figures as a table
insight-parts = The figures by { $by }
insight-total = Together
insight-without = without
insight-unknown = not known
insight-nothing = Nothing was written in these months.
insight-no-prices = No cost is known: whoever runs the service has set no prices for tokens.
insight-download = The table as a file (CSV)
insight-queue = The queue
insight-waiting = { $count ->
    [0] No job waits.
    [one] One job waits.
   *[other] { $count } jobs wait.
}
insight-running = { $count ->
    [0] None is under way.
    [one] One is under way.
   *[other] { $count } are under way.
}
insight-oldest = The oldest became due { $since }.
insight-recent = Where the time of an article went
by-month = Month
by-agent = Agent
by-model = Model
by-tenant = Team
trace-title = Where the time and the money went
trace-work = Work on it took { $work }; from the first step to the last { $passed } passed.
trace-tokens = { $model }: { $read } tokens read, { $written } written.
trace-cached = Of those read, the vendor had kept { $cached }.
trace-cost = Cost: { $cost }.
trace-stages = The steps
trace-axis = Steps on one axis of working time. Pauses between them are left out.
trace-stage = Step
trace-when = When
trace-seconds = Seconds
trace-attempt = attempt { $number }
trace-none = Of this article no steps are kept: it was written before they were, or was not written here.
trace-sources = Sources
trace-plan = Plan
trace-section = Section
trace-check = Check of the whole
