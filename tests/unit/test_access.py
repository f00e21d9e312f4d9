import pytest

from contentgen_core.errors import NotPermitted, PlanForbids
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.access import (
    check_custom_niches,
    check_length,
    check_mermaid,
    require_platform_admin,
    require_role,
)
from contentgen_core.testing.builders import caller

ASCENDING = [Role.VIEWER, Role.EDITOR, Role.ADMIN, Role.OWNER]


@pytest.mark.parametrize("needed", ASCENDING)
@pytest.mark.parametrize("own", ASCENDING)
def test_a_role_may_do_all_that_lower_ones_may(own: Role, needed: Role) -> None:
    if ASCENDING.index(own) >= ASCENDING.index(needed):
        require_role(caller(role=own), needed)
    else:
        with pytest.raises(NotPermitted, match=needed.value):
            require_role(caller(role=own), needed)


def test_no_role_makes_a_platform_admin() -> None:
    with pytest.raises(NotPermitted):
        require_platform_admin(caller(role=Role.OWNER))
    require_platform_admin(caller(role=Role.VIEWER, platform_admin=True))


def test_a_length_the_plan_lacks_names_the_plans_that_have_it() -> None:
    check_length(PlanName.FREE, ArticleLength.STANDARD)
    check_length(PlanName.STARTER, ArticleLength.LONG)
    with pytest.raises(PlanForbids, match=r"very_long\. Plans that do: Pro, Business\."):
        check_length(PlanName.STARTER, ArticleLength.VERY_LONG)


@pytest.mark.parametrize("check", [check_mermaid, check_custom_niches])
def test_diagrams_and_custom_niches_come_with_pro_and_business(check) -> None:
    for plan in (PlanName.PRO, PlanName.BUSINESS):
        check(plan)
    for plan in (PlanName.FREE, PlanName.STARTER):
        with pytest.raises(PlanForbids, match="Plans that do: Pro, Business"):
            check(plan)
