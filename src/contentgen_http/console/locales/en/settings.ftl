settings-profile = Profile
settings-team = Team
settings-keys = API keys
settings-save = Save
settings-keep = Go back
settings-for-admins = Only admins and owners of the team can change this.
note-settings-saved = Saved.

settings-you = You
settings-name = Your name
settings-language = Language
settings-language-label = Language of these pages in this browser
settings-your-team = Your team
settings-team-name = Team name
settings-zone = Time zone
settings-zone-hint = For times on these pages and for new schedules, such as Europe/Paris; empty for UTC.

role-may-owner = Owner: can do everything, and chooses the other owners.
role-may-admin = Admin: also manages the team, keys, integrations and settings.
role-may-editor = Editor: plans, writes and publishes.
role-may-viewer = Viewer: can only read.
settings-members = Members
settings-thats-you = (you)
settings-last-active = key last used { $when }
settings-never-active = no key used yet
settings-role = Role
settings-role-of = Role of { $name }
settings-change-role = Change
settings-change-role-of = Change the role of { $name }
settings-remove = Remove
settings-remove-name = Remove { $name }
settings-remove-ask = Remove { $name } from the team?
settings-remove-hint = Their keys and sessions end within a second, and their open invitations are cancelled. What they wrote is kept.
settings-invitations = Open invitations
settings-until = until { $when }
settings-cancel-invitation = Cancel the invitation
settings-cancel-name = Cancel the invitation of { $name }
settings-cancel-ask = Cancel the invitation of { $name }?
settings-invite = Invite someone
settings-invite-email = Email address
settings-send-invitation = Send the invitation
settings-invited = { $email } is invited.
settings-invite-link = An email with this link is on its way. It works once, within 7 days. Copy the link if you want to hand it over yourself: it is not shown again.
invitation-pending = email on its way
invitation-sent = email sent
invitation-failed = the email could not be sent: invite again
invitation-logged = no mail server: hand the link over yourself
note-role-changed = The role is changed.
note-removed = Removed.

settings-new-key = The key { $name } is created.
settings-shown-once = Copy it now: it is shown only once and cannot be read again.
settings-no-keys = No keys yet.
settings-made = created { $when }
settings-last-used = last used { $when }
settings-never-used = never used
settings-key-revoked = revoked
settings-key-expired = expired
settings-revoke = Revoke
settings-revoke-name = Revoke { $name }
settings-revoke-ask = Revoke the key { $name }?
settings-revoke-hint = It stops working within a second, permanently. Whatever uses it will be refused.
settings-revoke-own-hint = You are signed in with this key: your session ends with it.
settings-make-key = Create a key
settings-key-name = Purpose
settings-key-name-hint = So that you know later which key to revoke.
settings-key-owner = Owner of the key
settings-key-expires = Last day of validity (empty: no end)
note-revoked = The key is revoked.

settings-fault-name = A name has between 1 and 100 characters.
settings-fault-timeZone = This is not a time zone. Choose one from the list, such as Europe/Paris.
settings-fault-email = This is not an email address.
settings-fault-expiresAt = The last day must be in the future.

member-owner = Owner
member-admin = Admin
member-editor = Editor
member-viewer = Viewer

settings-plan = Plan and limits
settings-plan-name = Your plan: { $plan }
settings-resets = resets { $when }
settings-unlimited = { $used } used, no limit
settings-not-included = not included
settings-includes = What it includes
settings-what = Feature
settings-lengths = Article lengths
settings-diagrams = Diagrams
settings-own-niches = Your own niches
settings-premium-search = Premium web search
settings-bypass = Writing despite low coverage
settings-freshness = Topic coverage can be computed again after
settings-hours = { $unit ->
    [days] { $count ->
        [one] 1 day
       *[other] { $count } days
    }
   *[hours] { $count ->
        [one] 1 hour
       *[other] { $count } hours
    }
}
settings-requests = API requests per minute
settings-yes = yes
settings-no = no
settings-plan-change = Only the operator of this service can change the plan.

settings-budgets = Budgets
settings-fault-amount = Enter the budget as a number of 0 or more.
settings-fault-currency = The operator has set no prices in this currency: enter the budget in tokens.
budget-what = How much language models may use per month. An article that could exceed the budget is not started and does not count against your plan.
budget-none = No budget is set.
budget-team = Team
budget-of-agent = Set a budget for an agent
budget-limit = Limit per month
budget-limit-hint = Leave it empty to remove the budget.
budget-unit = Unit
settings-tokens-count = { $count ->
    [one] one token
   *[other] { $count } tokens
}
budget-left = { $left } of { $limit } left
budget-spent = Spent this month: { $spent }.
budget-reserved = Reserved for articles being written: { $reserved }.

settings-voices = Voices
settings-voices-hint = How your articles should sound: measured in your own texts and described in words.
settings-no-voices = No voices yet.
settings-is-default = used when an article names none
settings-make-voice = Create a voice
settings-voice-language = Language
settings-voice-name = Name
settings-guide = Description
settings-guide-hint = Instructions for the model, such as: plain words, no hype.
settings-use = Terms to use, one per line
settings-avoid = Terms to avoid, one per line
settings-samples = Sample text
settings-samples-hint = 50 words or more. It is measured, not stored; a new sample replaces the former measurements.
settings-voice-default = Use it when an article names no voice
settings-measured = Measured in { $words } words and { $sentences } sentences
settings-not-measured = Not measured: there is no sample.
settings-habit = Feature
settings-value = Value
settings-sentence-words = Words per sentence
settings-paragraph-sentences = Sentences per paragraph
settings-questions = Questions
settings-person = Form of address
person-i = I
person-we = we
person-you = you
person-impersonal = impersonal
settings-formality = Formality
formality-formal = formal
formality-informal = informal
settings-spelling = Spelling
spelling-british = British
spelling-american = American
settings-frequent = Most frequent words
settings-try = Try the voice
settings-try-text = Text to compare
settings-compare = Compare
settings-fits = The text matches this voice.
settings-deviates = { $count ->
    [one] The text differs from this voice on one point:
   *[other] The text differs from this voice on { $count } points:
}
settings-change-voice = Edit the voice
settings-forget-samples = Delete the measurements
settings-delete = Delete
settings-voice-delete-ask = Delete the voice { $name }?
settings-voice-delete-hint = Articles already requested keep it.
note-deleted = Deleted.

settings-webhooks = Webhooks
settings-webhooks-hint = Addresses that receive signed messages about what happens.
settings-no-webhooks = No webhooks yet.
settings-disabled = disabled
settings-disabled-because = Disabled because:
settings-failing = failing since { $when }
settings-make-webhook = Create a webhook
settings-change-webhook = Edit the webhook
settings-webhook-name = Name
settings-webhook-url = Address
settings-events = Events
settings-events-hint = If none is selected: all events, including future types.
settings-enabled = Enabled
settings-secret = Signing secret
settings-secret-hint = Copy it now: it is shown only once. The receiver uses it to verify messages.
settings-former-until = messages also carry the former signature until { $when }
settings-send-test = Send a test
settings-tested = Test result
settings-rotate = New secret
settings-replay-failed = Resend failed events
settings-replayed = { $count ->
    [0] There are no failed events.
    [one] One event is being sent again.
   *[other] { $count } events are being sent again.
}
settings-replayed-more = There may be more: try again once these have been sent.
settings-deliveries = Deliveries
settings-all = All
settings-no-deliveries = No deliveries.
settings-attempts = { $count ->
    [one] One attempt
   *[other] { $count } attempts
}
settings-next-attempt = Next attempt { $when }.
settings-send-again = Resend
settings-body = Message body
settings-field = Field
settings-attempt-taken = accepted: { $status }
settings-attempt-status = refused: { $status }
settings-attempt-none = no answer
settings-milliseconds = { $count } ms
settings-webhook-delete-ask = Delete the webhook { $name }?
settings-webhook-delete-hint = Its deliveries are deleted too; those that are waiting are not sent.
delivery-waiting = waiting
delivery-delivered = delivered
delivery-failed = failed
note-sent-again = The event is being sent again.

settings-fault-url = The service cannot send to this address: enter a public http or https address.
settings-fault-text = A text has between 1 and 50,000 characters.

settings-tenants = Teams
settings-tenant-search = Part of a name
settings-no-tenants = No team has such a name.
settings-since = since { $when }
settings-suspended = suspended
settings-suspended-since = Suspended since { $when }: its keys are refused and its schedules are stopped.
settings-suspend = Suspend
settings-suspend-ask = Suspend the team { $name }?
settings-suspend-hint = Its keys and sessions are refused from the next request on, and its schedules do not start. Nothing is lost; you can resume it later.
settings-resume = Resume
note-suspended = The team is suspended.
note-resumed = The team is resumed.
settings-members-count = { $count ->
    [one] One member. Owners:
   *[other] { $count } members. Owners:
}
settings-tenant-plan = Plan
settings-tenant-used = Usage
settings-plans = Plans
settings-no-limit = no limit
settings-reviews = Reviews
settings-reviews-flagged = Hidden
settings-reviews-listed = Shown
settings-no-reviews = No reviews.
settings-stars = { $count ->
    [one] one star
   *[other] { $count } stars
}
settings-review-list = Show
settings-review-list-name = Show the review { $name }
settings-review-hide = Hide
settings-review-hide-name = Hide the review { $name }
settings-review-delete-name = Delete the review { $name }
settings-review-delete-ask = Delete this review permanently?
note-hidden = The review is hidden.
note-listed = The review is shown.
flag-link = contains a link
flag-email = contains an email address
flag-repetition = repeats itself
flag-suspicious = looks like code
flag-moderator = hidden by an administrator
settings-public = Public articles
settings-public-search = Words in the title or text
settings-public-find = Find
settings-public-none = No public articles match.
settings-public-hide = Hide
settings-public-hide-name = Hide { $name }
settings-public-hide-ask = Hide “{ $name }” from everyone?
settings-public-hide-hint = Its team keeps it and can request that it become public again. Posts at targets stay.
settings-trends = Trends
settings-trends-table = Table of trends
settings-trends-every = Feeds are read every { $minutes } minutes.
settings-trends-by-command = Feeds are read when the operator runs the command. Set CONTENTGEN_TRENDS_EVERY to have them read automatically.
settings-trends-radar = Open the radar
settings-trends-none = No trends yet.
settings-trend = Trend
settings-trend-niche = Niche
settings-trend-score = Score
settings-trend-sources = Sources
settings-trend-clicks = Clicks
settings-trend-updated = Last read
