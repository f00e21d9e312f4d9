settings-profile = Profile
settings-team = Team
settings-keys = API keys
settings-save = Save
settings-keep = No, go back
settings-for-admins = Admins and owners of the team can change this.
note-settings-saved = Saved.

settings-you = You
settings-name = Your name
settings-language = Language
settings-language-label = The language of these pages in this browser
settings-your-team = Your team
settings-team-name = Name of the team
settings-zone = Time zone
settings-zone-hint = Times are shown in it, and schedules start with it. Such as Europe/Paris; empty for UTC.

role-may-owner = Owner: everything, and who else is an owner.
role-may-admin = Admin: team, keys, integrations and settings too.
role-may-editor = Editor: writes, plans and publishes.
role-may-viewer = Viewer: reads.
settings-members = Members
settings-thats-you = (you)
settings-last-active = a key last used { $when }
settings-never-active = no key used yet
settings-role = Role
settings-role-of = Role of { $name }
settings-change-role = Change
settings-change-role-of = Change the role of { $name }
settings-remove = Remove
settings-remove-name = Remove { $name }
settings-remove-ask = Remove { $name } from the team?
settings-remove-hint = Their keys and sessions end within a second, and invitations that they made are cancelled. What they wrote stays.
settings-invitations = Open invitations
settings-until = until { $when }
settings-cancel-invitation = Cancel it
settings-cancel-name = Cancel the invitation of { $name }
settings-cancel-ask = Cancel the invitation of { $name }?
settings-invite = Invite somebody
settings-invite-email = Mail address
settings-send-invitation = Send the invitation
settings-invited = { $email } is invited.
settings-invite-link = A mail with this link is on its way. It works once, for 7 days. Copy it if you want to hand it over yourself: it is not shown again.
invitation-pending = the mail is on its way
invitation-sent = the mail was sent
invitation-failed = the mail could not be sent: invite again
invitation-logged = no mail server: hand the link over yourself
note-role-changed = The role is changed.
note-removed = Removed.

settings-new-key = The key { $name } is made.
settings-shown-once = Copy it now: it is shown this once, and nobody can read it again.
settings-no-keys = There are no keys.
settings-made = made { $when }
settings-last-used = last used { $when }
settings-never-used = never used
settings-key-revoked = revoked
settings-key-expired = expired
settings-revoke = Revoke
settings-revoke-name = Revoke { $name }
settings-revoke-ask = Revoke the key { $name }?
settings-revoke-hint = It stops working within a second, for good. Whatever uses it is refused then.
settings-revoke-own-hint = You are signed in with this key: your session ends with it.
settings-make-key = Make a key
settings-key-name = What it is for
settings-key-name-hint = So that you know later which one to revoke.
settings-key-owner = Whose key it is
settings-key-expires = Last day on which it works (empty: no end)
note-revoked = The key is revoked.

settings-fault-name = A name has between 1 and 100 characters.
settings-fault-timeZone = This is no time zone. Choose one of the list, such as Europe/Paris.
settings-fault-email = This is not a mail address.
settings-fault-expiresAt = The last day must be in the future.

member-owner = Owner
member-admin = Admin
member-editor = Editor
member-viewer = Viewer

settings-plan = Plan and limits
settings-plan-name = Your plan: { $plan }
settings-resets = starts anew { $when }
settings-unlimited = { $used } used, without a limit
settings-not-included = not included
settings-includes = What it includes
settings-what = What
settings-lengths = Lengths of articles
settings-diagrams = Diagrams
settings-own-niches = Niches of your own
settings-premium-search = Premium web search
settings-bypass = Writing where coverage is low
settings-freshness = Topic coverage may be computed anew after
settings-hours = { $hours } hours
settings-requests = Requests to the API a minute
settings-yes = yes
settings-no = no
settings-plan-change = The plan is changed by whoever runs this service.

settings-budgets = Budgets
settings-fault-amount = Give the budget as a number that is not negative.
settings-fault-currency = The operator has set no prices in this currency: give the budget in tokens.
budget-what = What language models may take in a month. An article that could take more does not begin, and costs nothing of your plan.
budget-none = No budget is set.
budget-team = The team
budget-of-agent = Set the budget of an agent
budget-limit = A month may take
budget-limit-hint = Leave it empty to remove the budget.
budget-unit = Counted in
settings-tokens-count = { $count ->
    [one] one token
   *[other] { $count } tokens
}
budget-left = { $left } of { $limit } left
budget-spent = Spent this month: { $spent }.
budget-reserved = Reserved for what is being written: { $reserved }.

settings-voices = Voices
settings-voices-hint = How your articles are to read: measured in texts of yours, and said in words.
settings-no-voices = There are no voices yet.
settings-is-default = taken where an article names none
settings-make-voice = Make a voice
settings-voice-language = Language of its articles
settings-voice-name = Name
settings-guide = In words
settings-guide-hint = What models are told, such as: plain words, no hype.
settings-use = Terms to use, one a line
settings-avoid = Terms to avoid, one a line
settings-samples = A text that reads as it should
settings-samples-hint = 50 words or more. It is measured and not kept; a new one takes the place of what was measured before.
settings-voice-default = Take it where an article names no voice
settings-measured = Measured in { $words } words, { $sentences } sentences
settings-not-measured = Nothing was measured: it has no sample.
settings-habit = Habit
settings-value = Value
settings-sentence-words = Words of a sentence
settings-paragraph-sentences = Sentences of a paragraph
settings-questions = Questions
settings-person = Who speaks, or is spoken to
person-i = I
person-we = we
person-you = you
person-impersonal = nobody
settings-formality = Formality
formality-formal = formal
formality-informal = informal
settings-spelling = Spelling
spelling-british = British
spelling-american = American
settings-frequent = Words used most
settings-try = Try it
settings-try-text = A text to compare
settings-compare = Compare
settings-fits = The text reads as this voice does.
settings-deviates = { $count ->
    [one] It deviates in one way:
   *[other] It deviates in { $count } ways:
}
settings-change-voice = Change it
settings-forget-samples = Forget what was measured
settings-delete = Delete
settings-voice-delete-ask = Delete the voice { $name }?
settings-voice-delete-hint = Articles that were asked for keep it.
note-deleted = Deleted.

settings-webhooks = Webhooks
settings-webhooks-hint = Addresses that are told what happens, by signed messages.
settings-no-webhooks = There are no webhooks.
settings-disabled = disabled
settings-disabled-because = It was disabled:
settings-failing = failing since { $when }
settings-make-webhook = Make a webhook
settings-change-webhook = Change it
settings-webhook-name = Name
settings-webhook-url = Address
settings-events = Events
settings-events-hint = None ticked: all, later kinds included.
settings-enabled = It gets events
settings-secret = The signing secret
settings-secret-hint = Copy it now: it is shown this once. The receiver verifies messages with it.
settings-former-until = messages carry the former signature too until { $when }
settings-send-test = Send a test
settings-tested = The test
settings-rotate = New secret
settings-replay-failed = Send again what failed
settings-replayed = { $count ->
    [0] Nothing had failed.
    [one] One event is sent again.
   *[other] { $count } events are sent again.
}
settings-replayed-more = There may be more: ask again once these have ended.
settings-deliveries = Deliveries
settings-all = All
settings-no-deliveries = There are none.
settings-attempts = { $count ->
    [one] One attempt
   *[other] { $count } attempts
}
settings-next-attempt = The next attempt is due { $when }.
settings-send-again = Send it again
settings-body = What is sent
settings-field = Field
settings-attempt-taken = taken: { $status }
settings-attempt-status = refused: { $status }
settings-attempt-none = no answer
settings-milliseconds = { $count } ms
settings-webhook-delete-ask = Delete the webhook { $name }?
settings-webhook-delete-hint = With its deliveries; those that wait are not sent.
delivery-waiting = waiting
delivery-delivered = delivered
delivery-failed = failed
note-sent-again = It is sent again.

settings-fault-url = This is no address that the service may send to: a public http or https address is needed.
settings-fault-text = A text has between 1 and 50,000 characters.

settings-tenants = Tenants
settings-tenant-search = Part of a name
settings-no-tenants = No tenant has such a name.
settings-since = since { $when }
settings-suspended = suspended
settings-suspended-since = Suspended since { $when }: its keys are refused, its schedules stand still.
settings-suspend = Suspend
settings-suspend-ask = Suspend the team { $name }?
settings-suspend-hint = Its keys and sessions are refused from the next request on, and none of its schedules starts. Nothing is lost; it can be resumed.
settings-resume = Resume
note-suspended = The team is suspended.
note-resumed = The team is resumed.
settings-members-count = { $count ->
    [one] One member. Owners:
   *[other] { $count } members. Owners:
}
settings-tenant-plan = Plan
settings-tenant-used = What it uses
settings-plans = Plans
settings-no-limit = no limit
settings-reviews = Reviews
settings-reviews-flagged = Hidden
settings-reviews-listed = Listed
settings-no-reviews = There are none.
settings-stars = { $count ->
    [one] one star
   *[other] { $count } stars
}
settings-review-list = List it
settings-review-list-name = List the review { $name }
settings-review-hide = Hide it
settings-review-hide-name = Hide the review { $name }
settings-review-delete-name = Delete the review { $name }
settings-review-delete-ask = Delete this review for good?
note-hidden = The review is hidden.
note-listed = The review is listed.
flag-link = has a link
flag-email = has a mail address
flag-repetition = repeats itself
flag-suspicious = looks like code
flag-moderator = hidden by an administrator
settings-public = Public articles
settings-public-search = Words of the title or the text
settings-public-find = Find
settings-public-none = No public article is like that.
settings-public-hide = Hide
settings-public-hide-name = Hide { $name }
settings-public-hide-ask = Hide “{ $name }” from everybody?
settings-public-hide-hint = Its team keeps it, and can ask for it to be public again. Posts at targets stay.
settings-trends = Trends
settings-trends-table = Table of trends
settings-trends-every = Feeds are read every { $minutes } minutes.
settings-trends-by-command = Feeds are read when the operator runs the command; CONTENTGEN_TRENDS_EVERY has them read by themselves.
settings-trends-radar = See the radar
settings-trends-none = There are no trends yet.
settings-trend = Trend
settings-trend-niche = Niche
settings-trend-score = Score
settings-trend-sources = Sources
settings-trend-clicks = Followed
settings-trend-updated = Last read
