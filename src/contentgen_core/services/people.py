"""People: tenants, members, API keys, and reviews."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.account.profile import ManageAccount
from contentgen_core.use_cases.budgets.manage_budgets import ManageBudgets
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage_keys import ManageKeys
from contentgen_core.use_cases.reviews.mark import MarkHelpful
from contentgen_core.use_cases.reviews.read_reviews import ReadReviews
from contentgen_core.use_cases.reviews.write import WriteReviews
from contentgen_core.use_cases.sign_in.lookups import SessionLookups
from contentgen_core.use_cases.sign_in.open_id import SignInByOpenId
from contentgen_core.use_cases.sign_in.request_link import RequestSignInLink
from contentgen_core.use_cases.sign_in.sessions import ManageWebSessions
from contentgen_core.use_cases.team.accept import AcceptInvitation
from contentgen_core.use_cases.team.invite import InviteMember
from contentgen_core.use_cases.team.manage_team import ManageTeam
from contentgen_core.use_cases.tenants.administer import AdministerTenants
from contentgen_core.use_cases.tenants.delete import DeleteTenant
from contentgen_core.use_cases.tenants.platform import PlatformTenants
from contentgen_core.use_cases.tenants.queries import ReadTenant
from contentgen_core.use_cases.tenants.settings import EditTenant
from contentgen_core.use_cases.waiting import ReadWaiting


@frozen(kw_only=True)
class People:
    """Use cases on tenants, members, keys and reviews, and what waits for a person. `open_id`: None where no provider
    is set up."""

    authenticate: Authenticate
    request_sign_in: RequestSignInLink
    web_sessions: ManageWebSessions
    open_id: SignInByOpenId | None
    keys: ManageKeys
    tenants: AdministerTenants
    platform_tenants: PlatformTenants
    delete_tenant: DeleteTenant
    tenant: ReadTenant
    edit_tenant: EditTenant
    account: ManageAccount
    team: ManageTeam
    invite: InviteMember
    accept_invitation: AcceptInvitation
    reviews: ReadReviews
    write_reviews: WriteReviews
    mark_helpful: MarkHelpful
    waiting: ReadWaiting
    budgets: ManageBudgets

    @classmethod
    def compose(cls, shared: Shared) -> People:
        p = shared.ports
        keys = ManageKeys(p.unit_of_work, p.key_maker, p.clock, p.ids)
        tenants = AdministerTenants(p.unit_of_work, keys, p.clock, p.ids)
        read = ReadTenant(p.unit_of_work, p.clock)
        authenticate = Authenticate(p.unit_of_work, p.key_maker, p.clock)
        links = RequestSignInLink(p.unit_of_work, p.addresses, p.sign_in_tokens, p.clock, p.ids)
        sessions = ManageWebSessions(
            p.unit_of_work,
            SessionLookups(p.unit_of_work),
            authenticate,
            p.sign_in_tokens,
            p.key_maker,
            p.clock,
            p.ids,
        )
        open_id = None
        if p.open_id is not None:
            rules = shared.options.open_id
            open_id = SignInByOpenId(p.unit_of_work, p.open_id, p.addresses, links, sessions, rules)
        return cls(
            authenticate=authenticate,
            request_sign_in=links,
            web_sessions=sessions,
            open_id=open_id,
            keys=keys,
            tenants=tenants,
            platform_tenants=PlatformTenants(p.unit_of_work, tenants, read),
            delete_tenant=DeleteTenant(p.unit_of_work, tenants, p.objects, shared.apply_index_changes),
            tenant=read,
            edit_tenant=EditTenant(p.unit_of_work, p.time_zones),
            account=ManageAccount(p.unit_of_work),
            team=ManageTeam(p.unit_of_work, p.clock),
            invite=InviteMember(p.unit_of_work, p.addresses, p.invitation_tokens, p.clock, p.ids),
            accept_invitation=AcceptInvitation(
                p.unit_of_work, p.invitation_tokens, keys, p.clock, p.ids, mails=p.mailer.delivers
            ),
            reviews=ReadReviews(p.unit_of_work),
            write_reviews=WriteReviews(p.unit_of_work, p.clock, p.ids),
            mark_helpful=MarkHelpful(p.unit_of_work, p.clock),
            waiting=ReadWaiting(p.unit_of_work, p.clock, p.model.name),
            budgets=ManageBudgets(p.unit_of_work, p.clock, shared.budgets.costs),
        )
