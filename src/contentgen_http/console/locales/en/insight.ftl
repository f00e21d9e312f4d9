insight-period = Months
insight-last = { $count ->
    [one] This month
   *[other] The last { $count } months
}
insight-by = Group by
insight-what = An article counts in the month in which its writing ended, even if it is deleted later. Tokens and cost are those of planning and writing.
insight-articles = Articles
insight-failed = Failed
insight-words = Words
insight-coverage = Coverage
insight-support = Supported sentences
insight-tokens = Tokens
insight-cost = Cost
insight-picture = { $what }, one bar per month. The figures are in the table below.
insight-table = Figures as a table
insight-parts = Figures by { $by }
insight-total = Total
insight-without = none
insight-unknown = unknown
insight-nothing = Nothing was written in these months.
insight-no-prices = The cost is unknown: the operator of the service has set no prices for tokens.
insight-download = Download the table (CSV)
insight-queue = Queue
insight-waiting = { $count ->
    [0] No jobs are waiting.
    [one] One job is waiting.
   *[other] { $count } jobs are waiting.
}
insight-running = { $count ->
    [0] None is in progress.
    [one] One is in progress.
   *[other] { $count } are in progress.
}
insight-oldest = The oldest has been due since { $since }.
insight-recent = Time spent on recent articles
by-month = Month
by-agent = Agent
by-model = Model
by-tenant = Team
trace-title = Time and cost
trace-work = Working time: { $work }. Time from the first step to the last: { $passed }.
trace-tokens = { $model }: { $read } tokens read, { $written } written.
trace-cached = Of the tokens read, { $cached } came from the vendor’s cache.
trace-cost = Cost: { $cost }.
trace-stages = Steps
trace-axis = Steps on one axis of working time. Pauses between them are left out.
trace-stage = Step
trace-when = When
trace-seconds = Seconds
trace-attempt = attempt { $number }
trace-none = No steps were recorded for this article: it is older than this record, or was not written here.
trace-sources = Sources
trace-plan = Plan
trace-section = Section
trace-check = Final check
