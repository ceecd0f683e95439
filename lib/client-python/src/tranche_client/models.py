# Made by datamodel-code-generator from the OpenAPI document: lib/client-python/generate. Not for changes by hand.
# Of the schemas with the SHA-256 728e4c070702548d530e4661349a985d5ba40283593e22db4d514b2891f1f813

from __future__ import annotations

from tranche_client._model import Model
from typing import Annotated, Any, Dict, Literal
from pydantic import AwareDatetime, ConfigDict, Field, RootModel


class DepositAccountCustodyPlatform(Model):
    account: str
    weight: int


class DepositAccountCustodyWitness(Model):
    account: str
    weight: int
    name: str
    operator: str


class DepositAccountCustody(Model):
    quorum: int
    platform: DepositAccountCustodyPlatform
    witnesses: list[DepositAccountCustodyWitness]
    ledgers_to_live: int
    from_ledger: int
    refund_min_xrp: str


class DepositAccount(Model):
    address: str
    network_id: int
    halted: Annotated[
        bool, Field(description="Nothing is read, confirmed or paid out while halted; claims do not change")
    ]
    registered_ledger: Annotated[int, Field(description="The feed starts after this ledger")]
    cursor_ledger: Annotated[int, Field(description="Every payment up to this ledger is recorded")]
    confirmed_ledger: Annotated[int, Field(description="Everything up to this ledger is decided for good")]
    validated_ledger: Annotated[int | None, Field(description="The newest on the ledger; null while no server answers")]
    lag: Annotated[int | None, Field(description="Ledgers validated and not yet read")]
    recorded_balance_xrp: Annotated[
        str | None, Field(description="Recorded balance: what must be on the account by all recorded changes")
    ]
    difference_xrp: Annotated[
        str,
        Field(
            description="Balance on the ledger minus the recorded balance; any value but 0.000000 means that a change was missed"
        ),
    ]
    reconciled_ledger: Annotated[int | None, Field(description="The last ledger where the two were compared")]
    held_xrp: Annotated[str, Field(description="Held of payments, waiting for a person")]
    unpaid_refunds_xrp: Annotated[str, Field(description="Unpaid refunds: not yet validated on the ledger")]
    fees_xrp: Annotated[
        str,
        Field(
            description="Fees that the account has paid since its registration; fees of distributors are not included"
        ),
    ]
    custody: Annotated[
        DepositAccountCustody | None,
        Field(description="Who must sign what the account sends, for sales that are launched now; null: one key"),
    ]
    payout_fees_xrp: Annotated[str, Field(description="Of them, for refunds and releases, failed attempts included")]


class ApprovalRequestedBy(Model):
    kind: Literal["administrator", "member"] | str
    name: Annotated[str, Field(description="An administrator’s name, or a member’s wallet")]
    tenant_id: Annotated[str | None, Field(description="The tenant of a member")]


class ApprovalLaunch(Model):
    terms_hash: Annotated[str, Field(description="SHA-256 of the terms that the launch would anchor: no others")]
    canonical: Annotated[str, Field(description="These terms, as canonical JSON")]


class ApprovalRelease(Model):
    destination: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class ApprovalClosedBy(Model):
    kind: Literal["administrator", "member"] | str
    name: Annotated[str, Field(description="An administrator’s name, or a member’s wallet")]


class Approval(Model):
    id: Annotated[str, Field(description="Approval id")]
    project_id: Annotated[str, Field(description="Project id")]
    project_name: str
    action: Literal["launch", "release"] | str
    status: Annotated[
        Literal["open", "approved", "refused", "withdrawn", "lapsed"] | str,
        Field(
            description="`lapsed`: what it names has changed, or nobody decided it in time. Only an `open` one can be decided"
        ),
    ]
    requested_by: ApprovalRequestedBy
    reason: Annotated[str, Field(description="Why it was asked for")]
    launch: Annotated[ApprovalLaunch | None, Field(description="What a launch would do; null for another action")]
    release: Annotated[
        ApprovalRelease | None, Field(description="What a release would pay, and to whom; null for another action")
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: Annotated[AwareDatetime, Field(description="Undecided until then, it lapses")]
    closed_at: AwareDatetime | None
    closed_by: Annotated[ApprovalClosedBy | None, Field(description="Who approved, refused or withdrew it")]
    closed_reason: Annotated[str | None, Field(description="Why, or why it lapsed")]
    transaction_hash: Annotated[str | None, Field(description="Of the approved launch")]
    payout_id: Annotated[str | None, Field(description="Of the approved release")]


class AuditEntry(Model):
    id: str
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    actor: Annotated[
        str, Field(description="Who did it, by kind and name; to members administrators are shown as `administrator`")
    ]
    action: Annotated[str, Field(description="What was done, as family.verb")]
    subject: Annotated[str, Field(description="What it was done to")]
    reason: str
    before: Annotated[Any, Field(description="What stood before, or what was asked for; null where there is nothing")]
    after: Annotated[Any, Field(description="What stands since; null where there is nothing")]
    request_id: Annotated[str, Field(description="The `X-Request-Id` of the answer, and of the lines in the log")]


class JobLastFault(Model):
    at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    what: str


class JobLastOverrun(Model):
    at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    took_ms: int


class Job(Model):
    name: str
    path: Annotated[str | None, Field(description="What its cron calls; null for work without a cron")]
    every_seconds: Annotated[int | None, Field(description="Between two calls of its cron")]
    state: Annotated[
        Literal["never", "idle", "running", "broken_off"] | str,
        Field(
            description="`broken_off`: it began and neither ended nor holds its lease any more; the next run takes it up"
        ),
    ]
    late: Annotated[
        bool | None,
        Field(
            description="True when its cron has not begun it for too long; null without a cron, or before its first run"
        ),
    ]
    last_started_at: AwareDatetime | None
    last_finished_at: AwareDatetime | None
    holder: Annotated[str | None, Field(description="The run that holds its lease")]
    leased_until: AwareDatetime | None
    slice: Annotated[int, Field(description="The number of its newest slice, over all its runs")]
    last_fault: Annotated[JobLastFault | None, Field(description="What went wrong last, within the past seven days")]
    last_overrun: Annotated[
        JobLastOverrun | None,
        Field(description="The last slice that took longer than its time budget, within the past seven days"),
    ]


class Maintenance(Model):
    id: str
    message: str
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    started_by: Annotated[str, Field(description="Name of the administrator")]
    expected_end_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    ended_by: str | None


class PaymentPendingAssign(Model):
    project_id: Annotated[str, Field(description="Project id")]
    transaction_hash: str


class PaymentRefund(Model):
    id: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    destination_tag: int | None
    status: str
    reason: str | None
    transaction_hash: str | None


class Payment(Model):
    transaction_hash: str
    transaction_type: Annotated[str, Field(description="`Payment`, or by what the XRP arrived otherwise")]
    ledger_index: int
    closed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    age_seconds: Annotated[int, Field(description="Since the ledger of the payment closed")]
    account: Annotated[str, Field(description="The deposit account that received it")]
    sender: str
    destination_tag: int | None
    source_tag: int | None
    project_id: str | None
    outcome: Literal["pending", "invested", "partial", "refunded", "held"] | str
    reason: str | None
    received_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    invested_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    refunded_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    held_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    assignable: Annotated[bool, Field(description="It may be credited to a project of the same deposit account")]
    not_assignable_reason: str | None
    refundable: Annotated[bool, Field(description="What is held may be sent back")]
    not_refundable_reason: str | None
    pending_assign: PaymentPendingAssign | None
    refunds: list[PaymentRefund]


class ProjectLink(Model):
    label: str
    url: str


class ProjectTeamItem(Model):
    name: str
    role: str
    url: str | None


class ProjectDocument(Model):
    title: str
    url: str
    sha256: Annotated[str | None, Field(description="SHA-256 of the file, as the operator gave it")]


class ProjectToken(Model):
    kind: Literal["iou"]
    currency: str
    issuer: Annotated[str, Field(description="Ledger account address")]
    decimals: int


class ProjectToken1(Model):
    kind: Literal["mpt"]
    issuance_id: str
    decimals: int


class ProjectTierCredential(Model):
    type: Annotated[str | None, Field(description="The type as text; null when it is no plain text")]
    credential_type: str
    issuers: list[str]


class ProjectTier(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    sold_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    access: Literal["open", "allowlist"] | str
    credential: Annotated[
        ProjectTierCredential | None,
        Field(description="The credential that a buyer must hold, of any of its issuers; null when none is required"),
    ]
    starts_at: AwareDatetime | None
    completed_at: AwareDatetime | None


class ProjectVesting(Model):
    immediate_bps: int
    cliff_days: int
    period_days: int
    periods: int


class ProjectProgress(Model):
    tiers_completed: int
    total_tiers: int
    total_raised_xrp: Annotated[str, Field(description="Total invested, later refunds included")]
    cancelled_xrp: Annotated[
        str,
        Field(
            description="XRP of investments that the cancellation of the sale ended, refunded or held; total_raised_xrp minus this is still invested"
        ),
    ]
    progress_percentage: float
    total_investors: int


class ProjectCustodyPlatform(Model):
    account: str
    weight: int


class ProjectCustodyWitness(Model):
    account: str
    weight: int
    name: str
    operator: str


class ProjectCustody(Model):
    quorum: int
    platform: ProjectCustodyPlatform
    witnesses: list[ProjectCustodyWitness]
    ledgers_to_live: int
    from_ledger: int
    refund_min_xrp: str


class ProjectLockEscrow(Model):
    transaction_hash: str
    ledger_index: int


class ProjectLock(Model):
    label: Annotated[str, Field(description="Whose tokens they are, for investors")]
    receiver: Annotated[str, Field(description="Destination of every escrow of the lock")]
    amount: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    until: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    escrows: Annotated[
        list[ProjectLockEscrow],
        Field(description="The EscrowCreate transactions that prove it: together they lock the amount or more"),
    ]


class ProjectPendingAction(Model):
    action: Literal["launch", "pause", "resume", "end", "cancel", "list", "assign"] | str
    transaction_hash: str


class Project(Model):
    id: Annotated[str, Field(description="Project id")]
    name: str
    slug: str
    description: str
    website: str | None
    logo: str | None
    links: list[ProjectLink]
    team: list[ProjectTeamItem]
    documents: list[ProjectDocument]
    status: Literal["draft", "active", "paused", "completed", "cancelled"] | str
    token: ProjectToken | ProjectToken1
    distributor: Annotated[str, Field(description="Ledger account address")]
    deposit_address: Annotated[str, Field(description="Ledger account address")]
    destination_tag: int
    tiers: list[ProjectTier]
    starts_at: AwareDatetime | None
    ends_at: AwareDatetime | None
    soft_cap_xrp: str | None
    min_investment_xrp: str | None
    max_per_wallet_xrp: str | None
    access: Literal["open", "allowlist"] | str
    distribution: Literal["immediate", "at_end"] | str
    vesting: ProjectVesting
    treasury: str | None
    claim_days: int
    refund_min_xrp: Annotated[str, Field(description="Minimum refund of change; less is kept and shown as rounding")]
    progress: ProjectProgress
    custody: Annotated[
        ProjectCustody | None,
        Field(description="Who must sign what the paying accounts send, as in the terms; null when one key signs"),
    ]
    custody_through_ledger: Annotated[
        int | None,
        Field(
            description="Last ledger of the sale’s custody period: after it the accounts are under other signers, and the tag names no sale; null while it lasts"
        ),
    ]
    locks: Annotated[
        list[ProjectLock],
        Field(
            description="Tokens that cannot move before a time, as in the terms. A launch is refused until the escrows of each lock its amount"
        ),
    ]
    unsold_until: Annotated[
        AwareDatetime | None,
        Field(
            description="What is not sold is put in escrow at the end of the sale and cannot move before this time, as in the terms; null when nothing is promised"
        ),
    ]
    vesting_locked: Annotated[
        bool,
        Field(
            description="What vesting still owes at the end of the sale is put in escrow then and cannot move before the day on which it is due, as in the terms"
        ),
    ]
    terms_hash: str | None
    list_hash: Annotated[str | None, Field(description="The allowlist version in force")]
    pending_action: ProjectPendingAction | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    launched_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    end_reason: Literal["sold_out", "ended", "end_date", "soft_cap_missed", "cancelled"] | str | None


class PayoutAttempt(Model):
    attempt: int
    transaction_hash: str
    status: Literal["open", "validated", "failed", "expired"] | str
    engine_result: Annotated[
        str | None,
        Field(description="The validated result; before that, what the server last said, which decides nothing"),
    ]
    ticket: int
    fee_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    first_ledger: int
    last_ledger_sequence: Annotated[int, Field(description="Past it the transaction can never succeed")]
    ledger_index: int | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class Payout(Model):
    id: str
    kind: Literal["distribution", "refund", "release", "lock", "unlock"] | str
    project_id: str | None
    investment_id: str | None
    payment_hash: str | None
    part: int
    account: Annotated[str, Field(description="The account that pays")]
    destination: str
    destination_tag: int | None
    amount_xrp: Annotated[str | None, Field(description="Null for a distribution, lock or unlock")]
    tokens: Annotated[str | None, Field(description="Null for a refund or release")]
    locked_until: Annotated[
        AwareDatetime | None,
        Field(description="Of a lock or unlock: its tokens cannot move before this time; else null"),
    ]
    status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled"] | str
    reason: str | None
    due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    age_seconds: Annotated[int, Field(description="Since it is due; 0 before")]
    overdue: Annotated[bool, Field(description="Waits for its holder longer than the project’s `claim_days`")]
    next_check_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    possible: Annotated[
        list[Literal["retry", "hold", "release", "settle"] | str],
        Field(description="Actions that an operator can take now"),
    ]
    transaction_hash: str | None
    ledger_index: int | None
    validated_at: AwareDatetime | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    attempt_count: int
    attempts: Annotated[list[PayoutAttempt], Field(description="The newest first; in a list at most three")]


class AllowListAnchor(Model):
    transaction_hash: str
    ledger_index: int
    applied_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class AllowList(Model):
    id: str
    project_id: Annotated[str, Field(description="Project id")]
    version: Annotated[
        int,
        Field(
            description="One more than the highest version of the project so far; the number of a discarded draft may be used again"
        ),
    ]
    status: Literal["draft", "committed"] | str
    entries: Annotated[int, Field(description="Wallets on it")]
    hash: Annotated[str | None, Field(description="SHA-256 of the bytes behind `url`; null while it is a draft")]
    in_force: Annotated[bool, Field(description="The last `list` action on the ledger names this version")]
    anchors: Annotated[list[AllowListAnchor], Field(description="Actions that have put it in force, in ledger order")]
    url: Annotated[str | None, Field(description="The published entries as JSON Lines; null while it is a draft")]
    committed_at: AwareDatetime | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ReleaseAmountsDepositAccountFloor(Model):
    reserve_xrp: Annotated[
        str, Field(description="Base reserve, and owner reserve with the tickets that paying the rest takes")
    ]
    unpaid_refunds_xrp: Annotated[str, Field(description="Refunds that are not validated")]
    held_xrp: Annotated[str, Field(description="Held of payments, waiting for a person")]
    undecided_xrp: Annotated[str, Field(description="Received and not decided yet")]
    undistributed_xrp: Annotated[
        str, Field(description="Invested without validated tokens, in sales that were or may yet be cancelled")
    ]
    releases_xrp: Annotated[str, Field(description="Releases that have not left the account yet")]
    fee_float_xrp: Annotated[str, Field(description="Fees of the payments that the account may have to make")]


class ReleaseAmountsDepositAccount(Model):
    address: str
    ledger_index: Annotated[int, Field(description="All figures are as of this ledger")]
    balance_xrp: Annotated[str, Field(description="The lesser of the ledger’s and the recorded balance")]
    free_xrp: Annotated[str, Field(description="The balance above the floor")]
    floor_xrp: Annotated[str, Field(description="What must stay, over all projects of the account: the sum of `floor`")]
    floor: ReleaseAmountsDepositAccountFloor


class ReleaseAmounts(Model):
    project_id: Annotated[str, Field(description="Project id")]
    status: str
    treasury: Annotated[str | None, Field(description="Named in the terms that the launch anchored")]
    raised_xrp: Annotated[str, Field(description="Invested in the project now")]
    earned_xrp: Annotated[
        str, Field(description="Of it, what validated tokens were paid with; all of it once the sale is completed")
    ]
    released_xrp: Annotated[str, Field(description="On the treasury, or on its way there")]
    releasable_xrp: Annotated[
        str, Field(description="Releasable now: earned and not released, as far as the deposit account can spare it")
    ]
    not_releasable_reason: str | None
    deposit_account: ReleaseAmountsDepositAccount


class Release(Model):
    id: Annotated[str, Field(description="Its payout (pay_…), under `/api/admin/payouts`")]
    release_id: str | None
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    destination: str
    status: str
    reason: str | None
    transaction_hash: str | None
    ledger_index: int | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class WitnessServer(Model):
    host: str
    ok: bool


class WitnessHalted(Model):
    since: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    reason: str


class WitnessRefusingItem(Model):
    account: str
    reason: (
        Literal[
            "halted",
            "catching_up",
            "servers_disagree",
            "history_incomplete",
            "server_outdated",
            "history_unexplained",
            "account_not_served",
            "custody_differs",
            "sale_not_approved",
            "rules_unknown",
            "inputs_missing",
            "not_owed",
            "not_due",
            "paid",
            "ticket_unknown",
            "ticket_used",
            "ticket_for_other_purpose",
            "earlier_ticket_open",
            "release_too_large",
            "not_possible_now",
            "too_many_tickets",
            "fee_too_high",
            "fee_limit_reached",
            "amount_limit_reached",
            "expires_too_late",
            "expired",
            "malformed",
        ]
        | str
    )
    detail: str


class WitnessRecentRefusal(Model):
    at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    reason: (
        Literal[
            "halted",
            "catching_up",
            "servers_disagree",
            "history_incomplete",
            "server_outdated",
            "history_unexplained",
            "account_not_served",
            "custody_differs",
            "sale_not_approved",
            "rules_unknown",
            "inputs_missing",
            "not_owed",
            "not_due",
            "paid",
            "ticket_unknown",
            "ticket_used",
            "ticket_for_other_purpose",
            "earlier_ticket_open",
            "release_too_large",
            "not_possible_now",
            "too_many_tickets",
            "fee_too_high",
            "fee_limit_reached",
            "amount_limit_reached",
            "expires_too_late",
            "expired",
            "malformed",
        ]
        | str
    )
    kind: str
    purpose: str | None


class Witness(Model):
    key: Annotated[str, Field(description="Address of its key in the signer lists")]
    name: Annotated[str | None, Field(description="As the custody of an account names it; null where none does")]
    operator: str | None
    accounts: Annotated[list[str], Field(description="Deposit accounts whose custody names it")]
    configured: Annotated[bool, Field(description="WITNESSES says where it listens")]
    reachable: bool
    fault: Annotated[str | None, Field(description="Why it is not reachable, or not usable")]
    version: str | None
    ledger_index: Annotated[int | None, Field(description="The validated ledger that it is at")]
    ledger_time: AwareDatetime | None
    servers: Annotated[list[WitnessServer], Field(description="Its ledger servers, as it says")]
    halted: Annotated[WitnessHalted | None, Field(description="Its operator has stopped it; null while not")]
    refusing: Annotated[list[WitnessRefusingItem], Field(description="Accounts for which it signs nothing now")]
    signed_24h: int | None
    refused_24h: int | None
    recent_refusals: list[WitnessRecentRefusal]


class InvestmentCreatedEventDataTierInfo(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    tokens_expected: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class InvestmentCreatedEventDataTransaction(Model):
    hash: str
    ledger_index: int
    destination_tag: int


class InvestmentCreatedEventData(Model):
    investment_id: str
    project_id: str
    investor_account: Annotated[str, Field(description="Ledger account address")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    tier_info: InvestmentCreatedEventDataTierInfo
    transaction: InvestmentCreatedEventDataTransaction
    status: Literal["pending_confirmation"]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class InvestmentCreatedEvent(Model):
    event_type: Literal["investment.created"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: InvestmentCreatedEventData


class InvestmentConfirmedEventDataFinalTierAllocationItem(Model):
    tier: int
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class InvestmentConfirmedEventDataTransaction(Model):
    hash: str
    ledger_index: int
    confirmed_at: Annotated[
        AwareDatetime, Field(description="Close time of the ledger that confirmed it; also `timestamp`")
    ]


class InvestmentConfirmedEventData(Model):
    investment_id: str
    project_id: str
    investor_account: Annotated[str, Field(description="Ledger account address")]
    confirmed_amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    final_tier_allocation: list[InvestmentConfirmedEventDataFinalTierAllocationItem]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    tokens_to_distribute: Annotated[
        str, Field(description="Tokens, a decimal string with exactly six fractional digits")
    ]
    transaction: InvestmentConfirmedEventDataTransaction
    status: Literal["confirmed"]


class InvestmentConfirmedEvent(Model):
    event_type: Literal["investment.confirmed"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: InvestmentConfirmedEventData


class InvestmentFailedEventDataTransaction(Model):
    hash: str
    ledger_index: int


class InvestmentFailedEventData(Model):
    investment_id: str
    project_id: str
    investor_account: Annotated[str, Field(description="Ledger account address")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
        ]
        | str,
        Field(description="Why it got no token"),
    ]
    transaction: InvestmentFailedEventDataTransaction
    status: Literal["failed"]


class InvestmentFailedEvent(Model):
    event_type: Literal["investment.failed"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: InvestmentFailedEventData


class InvestmentTokensDistributedEventDataTransaction(Model):
    hash: str
    ledger_index: int


class InvestmentTokensDistributedEventData(Model):
    investment_id: str
    project_id: str
    investor_account: Annotated[str, Field(description="Ledger account address")]
    payout_id: str
    part: int
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    transaction: InvestmentTokensDistributedEventDataTransaction
    distributed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class InvestmentTokensDistributedEvent(Model):
    event_type: Literal["investment.tokens_distributed"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: InvestmentTokensDistributedEventData


class InvestmentRefundedEventDataTransaction(Model):
    hash: str
    ledger_index: int


class InvestmentRefundedEventData(Model):
    investment_id: str
    project_id: str
    investor_account: Annotated[str, Field(description="Ledger account address")]
    payout_id: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    transaction: InvestmentRefundedEventDataTransaction
    refunded_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class InvestmentRefundedEvent(Model):
    event_type: Literal["investment.refunded"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: InvestmentRefundedEventData


class ProjectLaunchedEventDataTier(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class ProjectLaunchedEventDataTransaction(Model):
    hash: str
    ledger_index: int


class ProjectLaunchedEventData(Model):
    project_id: str
    project_name: str
    deposit_address: Annotated[str, Field(description="Ledger account address")]
    destination_tag: int
    tiers: list[ProjectLaunchedEventDataTier]
    starts_at: AwareDatetime | None
    ends_at: AwareDatetime | None
    terms_hash: str
    transaction: ProjectLaunchedEventDataTransaction
    launched_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ProjectLaunchedEvent(Model):
    event_type: Literal["project.launched"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: ProjectLaunchedEventData


class ProjectTierCompletedEventDataTierDetails(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    total_value_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class ProjectTierCompletedEventDataCompletionStats(Model):
    total_investors: int
    completion_time: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    time_to_complete_hours: float


class ProjectTierCompletedEventDataNextTier(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    starts_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ProjectTierCompletedEventDataProjectProgress(Model):
    tiers_completed: int
    total_tiers: int
    total_raised_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    progress_percentage: Annotated[
        float, Field(description="Raised in percent of what the whole sale brings, rounded down to two decimals")
    ]


class ProjectTierCompletedEventData(Model):
    project_id: str
    project_name: str
    tier_completed: int
    tier_details: ProjectTierCompletedEventDataTierDetails
    completion_stats: ProjectTierCompletedEventDataCompletionStats
    next_tier: Annotated[
        ProjectTierCompletedEventDataNextTier | None,
        Field(description="The tier that sells next; null after the last tier, when there is none"),
    ]
    project_progress: Annotated[
        ProjectTierCompletedEventDataProjectProgress,
        Field(description="The sale as the fact left it: of a completed tier, when that tier was full"),
    ]


class ProjectTierCompletedEvent(Model):
    event_type: Literal["project.tier_completed"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: ProjectTierCompletedEventData


class ProjectMilestoneReachedEventDataMilestone(Model):
    kind: Literal["progress"]
    percentage: Literal[25, 50, 75]


class ProjectMilestoneReachedEventDataMilestone1(Model):
    kind: Literal["soft_cap"]
    soft_cap_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class ProjectMilestoneReachedEventDataProjectProgress(Model):
    tiers_completed: int
    total_tiers: int
    total_raised_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    progress_percentage: Annotated[
        float, Field(description="Raised in percent of what the whole sale brings, rounded down to two decimals")
    ]


class ProjectMilestoneReachedEventDataTransaction(Model):
    hash: str
    ledger_index: int


class ProjectMilestoneReachedEventData(Model):
    project_id: str
    project_name: str
    milestone: ProjectMilestoneReachedEventDataMilestone | ProjectMilestoneReachedEventDataMilestone1
    project_progress: Annotated[
        ProjectMilestoneReachedEventDataProjectProgress,
        Field(description="The sale as the fact left it: of a completed tier, when that tier was full"),
    ]
    transaction: ProjectMilestoneReachedEventDataTransaction
    reached_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ProjectMilestoneReachedEvent(Model):
    event_type: Literal["project.milestone_reached"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: ProjectMilestoneReachedEventData


class ProjectSaleEndedEventData(Model):
    project_id: str
    project_name: str
    reason: Literal["sold_out", "ended", "end_date", "soft_cap_missed"] | str
    total_raised_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    total_investors: int
    ended_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ProjectSaleEndedEvent(Model):
    event_type: Literal["project.sale_ended"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: ProjectSaleEndedEventData


class ProjectCancelledEventDataTransaction(Model):
    hash: str
    ledger_index: int


class ProjectCancelledEventData(Model):
    project_id: str
    project_name: str
    total_raised_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    total_investors: int
    transaction: ProjectCancelledEventDataTransaction
    cancelled_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ProjectCancelledEvent(Model):
    event_type: Literal["project.cancelled"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: ProjectCancelledEventData


class SystemMaintenanceStartEventData(Model):
    maintenance_id: str
    message: Annotated[str, Field(description="What the operators announce")]
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expected_end_at: AwareDatetime | None


class SystemMaintenanceStartEvent(Model):
    event_type: Literal["system.maintenance_start"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: SystemMaintenanceStartEventData


class SystemMaintenanceEndEventData(Model):
    maintenance_id: str
    message: str
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class SystemMaintenanceEndEvent(Model):
    event_type: Literal["system.maintenance_end"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: SystemMaintenanceEndEventData


class SystemNetworkStatusEventData(Model):
    part: Annotated[
        Literal["platform", "database", "cache", "ledger", "queue"] | str,
        Field(description="What has changed; `platform` is the overall status. Each change is an event of its own"),
    ]
    status: Literal["operational", "degraded", "down"] | str
    previous: Annotated[
        Literal["operational", "degraded", "down"] | str, Field(description="What was announced before")
    ]
    since: Annotated[
        AwareDatetime, Field(description="When it was first seen; a change for the worse is announced a look later")
    ]
    detail: Annotated[str, Field(description="What it means for who uses the platform")]


class SystemNetworkStatusEvent(Model):
    event_type: Literal["system.network_status"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: SystemNetworkStatusEventData


class SystemWebhookDisabledEventData(Model):
    webhook_id: str
    reason: Annotated[
        Literal["gone", "failing"] | str,
        Field(
            description="`gone`: the last attempt of a delivery was answered 410. `failing`: nothing but failures for five days"
        ),
    ]
    message: Annotated[str, Field(description="What happened, and what to do")]
    failing_since: AwareDatetime | None
    disabled_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class SystemWebhookDisabledEvent(Model):
    event_type: Literal["system.webhook_disabled"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: SystemWebhookDisabledEventData


class SystemDeliveryFailedEventData(Model):
    webhook_id: Annotated[str, Field(description="The webhook whose receiver did not take it")]
    delivery_id: str
    event_id: Annotated[str, Field(description="The event that was not delivered")]
    event_type: Annotated[str, Field(description="Its type")]
    attempts: int
    response_code: Annotated[int | None, Field(description="HTTP status of the last answer; null where none came")]
    message: Annotated[str, Field(description="What happened, and what to do")]
    failed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class SystemDeliveryFailedEvent(Model):
    event_type: Literal["system.delivery_failed"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: SystemDeliveryFailedEventData


class SystemAlertEventDataDetails(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    ledger_index: int
    expected_xrp: Annotated[str, Field(description="XRP with exactly six fractional digits")]
    actual_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    difference_xrp: Annotated[str, Field(description="XRP with exactly six fractional digits")]


class SystemAlertEventData(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["balance_difference"]
    details: SystemAlertEventDataDetails


class SystemAlertEventData1DetailsTransaction(Model):
    hash: str
    ledger_index: int
    type: str


class SystemAlertEventData1Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    transaction: SystemAlertEventData1DetailsTransaction
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class SystemAlertEventData1(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["unknown_withdrawal"]
    details: SystemAlertEventData1Details


class SystemAlertEventData2DetailsTransaction(Model):
    hash: str
    ledger_index: int
    type: str


class SystemAlertEventData2Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    transaction: SystemAlertEventData2DetailsTransaction
    destination: Annotated[str | None, Field(description="Null for what is not a Payment")]
    delivered: Annotated[
        str | None, Field(description="Amount and asset as the ledger shows them; null where it shows none")
    ]


class SystemAlertEventData2(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["unknown_transfer"]
    details: SystemAlertEventData2Details


class SystemAlertEventData3DetailsTransaction(Model):
    hash: str
    ledger_index: int
    type: str


class SystemAlertEventData3Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    transaction: SystemAlertEventData3DetailsTransaction
    amount_xrp: str | None


class SystemAlertEventData3(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["late_discovery"]
    details: SystemAlertEventData3Details


class SystemAlertEventData4Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    ledger_index: int


class SystemAlertEventData4(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["servers_disagree"]
    details: SystemAlertEventData4Details


class SystemAlertEventData5Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    limit_payouts: int
    limit_xrp: str | None
    waiting: int


class SystemAlertEventData5(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["payout_ceiling"]
    details: SystemAlertEventData5Details


class SystemAlertEventData6Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    project_id: str
    parts: int
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class SystemAlertEventData6(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["payout_unclaimed"]
    details: SystemAlertEventData6Details


class SystemAlertEventData7Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    reason: (
        Literal[
            "payer_key_disabled",
            "payer_key_changed",
            "signing_key_unfit",
            "key_used_elsewhere",
            "waiting_witnesses",
            "witness_refused",
        ]
        | str
    )


class SystemAlertEventData7(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["payout_key"]
    details: SystemAlertEventData7Details


class SystemAlertEventData8Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    remembered: Annotated[
        str,
        Field(
            description="Hash of a transaction that was signed, or id of the audit entry of a payout that was settled by hand"
        ),
    ]


class SystemAlertEventData8(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["database_behind"]
    details: SystemAlertEventData8Details


class SystemAlertEventData9Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    finding: str
    severity: Literal["warning", "critical"] | str
    token: str | None


class SystemAlertEventData9(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["account_health"]
    details: SystemAlertEventData9Details


class SystemAlertEventData10Details(Model):
    account: Annotated[str, Field(description="Ledger account address")]
    project_id: str
    verification_id: str
    as_of_ledger: int
    differences: int


class SystemAlertEventData10(Model):
    message: Annotated[str, Field(description="What was found, and what to do next")]
    raised_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    kind: Literal["verification_failed"]
    details: SystemAlertEventData10Details


class SystemAlertEvent(Model):
    event_type: Literal["system.alert"]
    event_id: Annotated[str, Field(description="The same on every attempt: use it to drop duplicates")]
    timestamp: Annotated[AwareDatetime, Field(description="Time of the fact, ISO 8601 UTC")]
    api_version: Literal["2026-11"]
    test: Annotated[Literal[True] | None, Field(description="Only in test events")] = None
    data: (
        SystemAlertEventData
        | SystemAlertEventData1
        | SystemAlertEventData2
        | SystemAlertEventData3
        | SystemAlertEventData4
        | SystemAlertEventData5
        | SystemAlertEventData6
        | SystemAlertEventData7
        | SystemAlertEventData8
        | SystemAlertEventData9
        | SystemAlertEventData10
    )


class Holder(Model):
    rank: Annotated[int, Field(description="Who holds the same shares a rank")]
    account: Annotated[Any, Field(description="Ledger account address (r…)")]
    balance: Annotated[str, Field(description="Tokens, exact: six fractional digits, or more where there are more")]
    share: Annotated[
        float, Field(description="Part of the supply that holders have, 0 to 1, to six decimals, a half rounded up")
    ]


class HolderSnapshotExcluded(Model):
    accounts: int
    balance: Annotated[str, Field(description="Tokens, exact: six fractional digits, or more where there are more")]


class HolderSnapshotHistogramItem(Model):
    from_: Annotated[
        str, Field(alias="from", description="Tokens, exact: six fractional digits, or more where there are more")
    ]
    to: str | None
    holders: int


class HolderSnapshotChange(Model):
    since: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ledger_index: int
    holders: int
    added: int
    removed: int


class HolderSnapshot(Model):
    sync_id: Annotated[str, Field(description="The snapshot")]
    holders: int
    supply: Annotated[str, Field(description="What all holders have together")]
    excluded: Annotated[
        HolderSnapshotExcluded,
        Field(description="Accounts with supply that is not in circulation; they count nowhere else"),
    ]
    top_10_share: float | None
    top_100_share: float | None
    gini: Annotated[float | None, Field(description="Gini coefficient: 0 when all hold the same")]
    median: str | None
    histogram: Annotated[
        list[HolderSnapshotHistogramItem],
        Field(description="Holders by balance: `from` belongs to a step, `to` to the next one"),
    ]
    change: HolderSnapshotChange | None
    ledger_index: Annotated[int, Field(description="The validated ledger that all of it was read from")]
    ledger_closed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    synced_at: Annotated[AwareDatetime, Field(description="When the snapshot was complete")]


class InvestmentTierInfo(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    tokens_expected: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class InvestmentFinalTierAllocationItem(Model):
    tier: int
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class InvestmentTransaction(Model):
    hash: str
    ledger_index: int
    destination_tag: int | None
    confirmed_at: Annotated[
        AwareDatetime | None,
        Field(
            description="Close time of the ledger that confirmed it, after the one that decided; null unless it was invested"
        ),
    ]


class InvestmentPayout(Model):
    transaction_hash: str | None
    ledger_index: int | None
    id: str
    part: int
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    status: str
    reason: str | None
    due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    validated_at: AwareDatetime | None


class InvestmentRefund(Model):
    transaction_hash: str | None
    ledger_index: int | None
    id: str
    part: Annotated[int, Field(description="1: the change of the payment; 2: the refund of a cancelled sale")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    status: str
    reason: Annotated[str | None, Field(description="Why it waits, is held or failed")]
    due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    validated_at: AwareDatetime | None


class Investment(Model):
    id: str
    investment_id: str
    project_id: Annotated[str, Field(description="Project id")]
    investor_account: Annotated[str, Field(description="Ledger account address")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    status: Literal["pending_confirmation", "confirmed", "failed"] | str
    reason: Annotated[str | None, Field(description="Why it was refused, or why a part was refunded")]
    tier_info: InvestmentTierInfo
    confirmed_amount_xrp: Annotated[
        str | None,
        Field(description="Invested amount now: 0 when it was refused or refunded; null until it is decided"),
    ]
    refunded_xrp: Annotated[str, Field(description="Refunded part of amount_xrp, paid or due (`refunds`)")]
    held_xrp: Annotated[str, Field(description="Held part of amount_xrp: neither invested nor refunded")]
    final_tier_allocation: Annotated[
        list[InvestmentFinalTierAllocationItem],
        Field(description="What it bought when it was confirmed; unchanged by a later cancellation of the sale"),
    ]
    total_tokens: Annotated[str | None, Field(description="What it bought, as in final_tier_allocation")]
    tokens_to_distribute: Annotated[str | None, Field(description="Of total_tokens, what was due at once")]
    rounding_xrp: str | None
    transaction: InvestmentTransaction
    payouts: list[InvestmentPayout]
    refunds: list[InvestmentRefund]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class Invitation(Model):
    id: Annotated[str, Field(description="Identifier of the invitation")]
    wallet_address: Annotated[str, Field(description="Classic address")]
    role: Annotated[
        Literal["viewer", "editor", "owner"] | str,
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]
    invited_by: Annotated[str, Field(description="Classic address")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class Member(Model):
    id: Annotated[str, Field(description="Identifier of the member")]
    wallet_address: Annotated[str, Field(description="Classic address")]
    role: Annotated[
        Literal["viewer", "editor", "owner"] | str,
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class PublishedAllocation(Model):
    investment_id: str
    transaction_hash: Annotated[str, Field(description="The payment")]
    ledger_index: Annotated[
        int, Field(description="Where it was decided: the payment’s ledger, or that of `assigned_by`")
    ]
    transaction_index: int
    investor_account: str
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    assigned_by: Annotated[str | None, Field(description="The action that credited a payment held before")]
    confirmed_at: Annotated[
        AwareDatetime,
        Field(description="Close time of the ledger that confirmed it (CONFIRMATIONS after the one that decided)"),
    ]
    decided_at: Annotated[AwareDatetime, Field(description="Close time of the ledger that decided, as in `/payments`")]


class PublishedPayment(Model):
    transaction_hash: Annotated[str, Field(description="The payment")]
    ledger_index: Annotated[int, Field(description="Where it was decided: its own ledger, or that of `assigned_by`")]
    transaction_index: int
    decided_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    payment_ledger_index: int
    sender: str
    destination_tag: int | None
    source_tag: int | None
    received_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    outcome: Literal["invested", "partial", "refunded", "held"] | str
    reason: Annotated[str | None, Field(description="Why nothing was invested")]
    invested_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    refunded_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    held_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    rounding_xrp: Annotated[str, Field(description="Change too small to be sent back; inside `invested_xrp`")]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    investment_id: str | None
    assigned_by: Annotated[str | None, Field(description="The action that credited a payment held before")]


class PublishedPayout(Model):
    id: str
    kind: Literal["distribution", "refund", "release", "lock"] | str
    part: int
    investment_id: str | None
    payment_hash: Annotated[str | None, Field(description="Null for a release or a lock")]
    decided_ledger_index: Annotated[int | None, Field(description="Place of the payment’s decision")]
    decided_transaction_index: int | None
    account: Annotated[str, Field(description="Who pays")]
    destination: str
    destination_tag: int | None
    amount_xrp: Annotated[str | None, Field(description="Of a refund or a release")]
    tokens: Annotated[str | None, Field(description="Of a distribution or a lock")]
    due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    status: Literal["owed", "validated", "cancelled"] | str
    transaction_hash: str | None
    ledger_index: int | None


class VerificationReportChecked(Model):
    from_ledger: int
    through_ledger: int
    ledgers: int
    entries: Annotated[int, Field(description="Transactions of the deposit account and of the distributor")]
    payments: int
    allocations: int
    payouts: int
    payouts_validated: Annotated[int, Field(description="Each looked up on the ledger")]
    payouts_owed: int
    payouts_cancelled: int
    payouts_to_come: Annotated[
        int, Field(description="A sale that has ended within the hour still has to publish them")
    ]


class VerificationReportAnchorsLaunch(Model):
    transaction_hash: str
    ledger_index: int
    terms_hash: str


class VerificationReportAnchorsList(Model):
    transaction_hash: str
    ledger_index: int
    list_hash: str


class VerificationReportAnchors(Model):
    launch: VerificationReportAnchorsLaunch | None
    lists: list[VerificationReportAnchorsList]


class VerificationReportCustodyPlatform(Model):
    account: str
    weight: int


class VerificationReportCustodyWitness(Model):
    name: str
    operator: str
    account: str
    weight: int
    signatures: Annotated[int, Field(description="How many of `transactions` it has signed")]


class VerificationReportCustody(Model):
    quorum: int
    platform: VerificationReportCustodyPlatform
    witnesses: list[VerificationReportCustodyWitness]
    least_witnesses: Annotated[
        int | None, Field(description="The fewest witnesses that can sign with the platform; null when all are too few")
    ]
    may_be_away: Annotated[int, Field(description="Witnesses, whichever, without whom everything can still be paid")]
    faults: Annotated[list[str], Field(description="What the signer set does not keep of what custody promises")]
    transactions: Annotated[int, Field(description="Own transactions of both accounts after the launch, each checked")]


class VerificationReportLock(Model):
    label: str
    receiver: str
    amount: str
    until: str
    locked: Annotated[
        str | None, Field(description="Tokens in the escrows that the terms name; null when no server tells")
    ]
    in_escrow: Annotated[
        str | None,
        Field(
            description="Of `locked`, tokens that the escrows still hold in `as_of_ledger`: the others were released after the time, or went back to their owner; null when no server holds the state of that ledger"
        ),
    ]


class VerificationReportUnsold(Model):
    receiver: str
    until: str
    amount: Annotated[
        str | None,
        Field(description="Tokens that the end of the sale left unsold and to be locked; null when nothing is owed"),
    ]
    transaction_hash: Annotated[str | None, Field(description="The EscrowCreate that `/payouts` names")]
    locked: Annotated[
        str | None, Field(description="Tokens that it locks; null when nothing is owed, or no server tells")
    ]
    in_escrow: Annotated[str | None, Field(description="Of `locked`, what `as_of_ledger` still holds; as in `locks`")]


class VerificationReportVesting(Model):
    receiver: str
    days: Annotated[
        int | None,
        Field(description="Days with a lock each; null before the end of the sale, and when nothing is owed"),
    ]
    amount: Annotated[str | None, Field(description="Tokens that vesting owes on these days, to be locked")]
    until: Annotated[str | None, Field(description="The last of these days")]
    locked: Annotated[
        str | None,
        Field(description="Tokens that are locked until their day; null when nothing is owed, or no server tells"),
    ]
    in_escrow: Annotated[str | None, Field(description="Of `locked`, what `as_of_ledger` still holds; as in `locks`")]


class VerificationReportDifference(Model):
    kind: (
        Literal[
            "terms_differ",
            "terms_shown_differ",
            "anchor_differs",
            "list_differs",
            "list_not_published",
            "exception_not_published",
            "exception_not_on_ledger",
            "payment_missing",
            "payment_extra",
            "payment_differs",
            "allocation_missing",
            "allocation_extra",
            "allocation_differs",
            "payout_missing",
            "payout_extra",
            "payout_differs",
            "payout_not_on_ledger",
            "payout_misdirected",
            "payout_paid_otherwise",
            "payout_paid_twice",
            "transaction_used_twice",
            "unexplained_payment",
            "released_too_much",
            "answers_differ",
            "custody_not_signed",
            "custody_changed",
            "custody_state_differs",
            "custody_ended_early",
            "ticket_for_other_purpose",
            "lock_not_kept",
        ]
        | str
    )
    subject: str
    ledger_index: int | None
    field: str | None
    expected: str | None
    found: str | None
    message: str


class VerificationReportUncheckedItem(Model):
    account: str
    from_ledger: int
    through_ledger: int
    reason: str


class VerificationReport(Model):
    project_id: str
    as_of_ledger: int
    verdict: Annotated[
        Literal["agrees", "differs", "unchecked"] | str,
        Field(description="`unchecked`: nothing differs, and not everything could be checked"),
    ]
    checked: VerificationReportChecked
    anchors: VerificationReportAnchors
    custody: Annotated[
        VerificationReportCustody | None,
        Field(description="Who can move the money, as the terms say; null when one key can"),
    ]
    locks: Annotated[
        list[VerificationReportLock],
        Field(description="Tokens that the terms promise to lock, and what the ledger shows of it"),
    ]
    unsold: Annotated[
        VerificationReportUnsold | None,
        Field(description="The lock of unsold tokens that the terms promise; null when they promise none"),
    ]
    vesting: Annotated[
        VerificationReportVesting | None,
        Field(description="The locks of what vesting owes that the terms promise; null when they promise none"),
    ]
    exceptions: Annotated[dict[str, int], Field(description="How many are published, by kind")]
    differences_total: int
    differences: Annotated[list[VerificationReportDifference], Field(description="The first thousand")]
    unchecked: list[VerificationReportUncheckedItem]


class SystemStatusChecksDatabase(Model):
    status: Literal["up", "down"] | str
    latency_ms: Annotated[int, Field(description="Time until the answer, or until the time-out")]


class SystemStatusChecksCache(Model):
    status: Literal["up", "down"] | str
    latency_ms: Annotated[int, Field(description="Time until the answer, or until the time-out")]


class SystemStatusChecksLedger(Model):
    status: Literal["up", "down"] | str
    latency_ms: Annotated[int, Field(description="Time until the answer, or until the time-out")]


class SystemStatusChecksQueue(Model):
    status: Literal["up", "down"] | str
    latency_ms: Annotated[int, Field(description="Time until the answer, or until the time-out")]


class SystemStatusChecks(Model):
    database: SystemStatusChecksDatabase
    cache: SystemStatusChecksCache
    ledger: SystemStatusChecksLedger
    queue: SystemStatusChecksQueue


class SystemStatusLedgerServer(Model):
    server: Annotated[int, Field(description="Its place in the settings, from 1")]
    status: Literal["up", "down"] | str
    latency_ms: int
    validated_index: int | None
    behind: Annotated[int | None, Field(description="Ledgers behind the newest that any server shows")]
    agrees: Annotated[
        bool | None,
        Field(description="Whether it shows the same chain as the first that answers; null where that cannot be told"),
    ]


class SystemStatusLedger(Model):
    validated_index: int | None
    age_seconds: Annotated[int | None, Field(description="Since the newest validated ledger closed")]
    processed_index: Annotated[int | None, Field(description="Every payment up to this ledger is recorded")]
    lag: Annotated[int | None, Field(description="Ledgers validated and not yet processed")]
    servers: Annotated[
        list[SystemStatusLedgerServer],
        Field(description="The ledger servers against each other; empty where only one is configured"),
    ]


class SystemStatusInvariantsBalancesAccount(Model):
    account: str
    difference_xrp: Annotated[str, Field(description="Balance on the ledger minus the recorded balance")]
    ledger_index: Annotated[int, Field(description="Where the two were compared")]


class SystemStatusInvariantsBalances(Model):
    status: Annotated[
        Literal["ok", "violated", "unknown"] | str,
        Field(description="Whether the recorded balances match the ledger; unknown: not compared recently"),
    ]
    accounts: Annotated[list[SystemStatusInvariantsBalancesAccount], Field(description="Accounts with a difference")]


class SystemStatusInvariants(Model):
    balances: SystemStatusInvariantsBalances
    unknown_withdrawals: Annotated[
        int | None,
        Field(description="Unknown withdrawals: transactions that took XRP and that the platform did not sign"),
    ]
    unknown_transfers: Annotated[
        int | None, Field(description="Unknown transfers: transactions of distributors that the platform did not sign")
    ]
    foreign_transactions: Annotated[
        int | None,
        Field(
            description="All transactions that changed a balance and that the platform did not sign, fee-only ones included"
        ),
    ]
    late_discoveries: Annotated[
        int | None,
        Field(description="Late discoveries: payments found below the confirmed watermark that are still held"),
    ]
    halted_accounts: Annotated[
        int | None, Field(description="Deposit accounts that an operator has halted: their payments wait undecided")
    ]
    unfit_signing_keys: Annotated[
        int | None, Field(description="Accounts that cannot pay because their signing key is configured incorrectly")
    ]


class SystemStatusMaintenance(Model):
    message: str
    started_at: AwareDatetime
    expected_end_at: AwareDatetime | None


class SystemMetricsDeliveries(Model):
    waiting: Annotated[int, Field(description="First attempts not made yet; counted up to 10,000")]
    waiting_oldest_seconds: Annotated[
        float | None, Field(description="Age of the oldest, in seconds; null where none is")
    ]
    retries_due: Annotated[int, Field(description="Retries whose time has come; counted up to 10,000")]
    retries_due_oldest_seconds: Annotated[
        float | None, Field(description="Age of the oldest, in seconds; null where none is")
    ]


class SystemMetricsDeliveries24hLatencyMs(Model):
    p50: int | None
    p95: int | None


class SystemMetricsDeliveries24h(Model):
    delivered: int
    given_up: Annotated[int, Field(description="Failed deliveries: every attempt failed")]
    failed_attempts: int
    success_rate: Annotated[
        float | None,
        Field(description="Success rate: the share of ended deliveries that succeeded; null when none ended"),
    ]
    latency_ms: Annotated[
        SystemMetricsDeliveries24hLatencyMs,
        Field(
            description="Latency from the creation of a delivery to the receiver’s 2xx, retries included; accurate to about a tenth"
        ),
    ]


class SystemMetricsPayout(Model):
    status: Literal["scheduled", "waiting_holder", "ready", "submitted", "held"] | str
    count: int
    oldest_seconds: Annotated[float | None, Field(description="Age of the oldest, in seconds; null where none is")]


class SystemMetricsHeldPayments(Model):
    count: int
    oldest_seconds: Annotated[float | None, Field(description="Age of the oldest, in seconds; null where none is")]


class SystemMetricsJob(Model):
    name: str
    last_started_at: AwareDatetime | None
    last_finished_at: AwareDatetime | None
    late: Annotated[
        bool | None,
        Field(
            description="True when its cron has not begun it for too long; null without a cron, or before its first run"
        ),
    ]


class SystemMetrics(Model):
    deliveries: SystemMetricsDeliveries
    deliveries_24h: Annotated[
        SystemMetricsDeliveries24h,
        Field(description="Attempts that began within 24 hours, as far as they are counted: up to three minutes ago"),
    ]
    payouts: Annotated[
        list[SystemMetricsPayout],
        Field(description="Open payouts by status; the age counts from the due date and is 0 before it"),
    ]
    held_payments: SystemMetricsHeldPayments
    jobs: list[SystemMetricsJob]


class ProblemError(Model):
    field: str
    message: str


class Problem(Model):
    type: Annotated[str, Field(description="The page that explains the code")]
    title: str
    status: int
    detail: str
    code: (
        Literal[
            "invalid_request",
            "malformed_json",
            "unauthorized",
            "forbidden",
            "approval_required",
            "not_eligible",
            "invalid_proof",
            "not_found",
            "project_not_found",
            "investment_not_found",
            "webhook_not_found",
            "platform_id_not_found",
            "method_not_allowed",
            "conflict",
            "transition_not_allowed",
            "launch_not_ready",
            "limit_reached",
            "idempotency_key_in_use",
            "gone",
            "payload_too_large",
            "unsupported_media_type",
            "idempotency_key_reused",
            "rate_limited",
            "internal_error",
            "service_unavailable",
            "ledger_unavailable",
        ]
        | str
    )
    request_id: Annotated[str, Field(description="Quote it when you contact support")]
    errors: Annotated[list[ProblemError] | None, Field(description="One entry a faulty field, for invalid_request")] = (
        None
    )


class ListDepositAccountsAnswer(Model):
    accounts: list[DepositAccount]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class SetCustodyBodyCustodyPlatform(Model):
    account: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    weight: int


class SetCustodyBodyCustodyWitness(Model):
    account: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    weight: int
    name: str
    operator: str


class SetCustodyBodyCustody(Model):
    quorum: int
    platform: SetCustodyBodyCustodyPlatform
    witnesses: list[SetCustodyBodyCustodyWitness]
    ledgers_to_live: int


class SetCustodyBody(Model):
    custody: Annotated[
        SetCustodyBodyCustody | None,
        Field(description="The signer set of the account and of the distributors of its sales; null for one key"),
    ]
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class HaltDepositAccountBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ResumeDepositAccountBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class OpenTokenHoldingAnswerTransaction(Model):
    model_config = ConfigDict(
        extra="allow",
    )
    __annotations__ = {
        "__pydantic_extra__": Dict[str, Any],
    }
    TransactionType: str


class OpenTokenHoldingAnswer(Model):
    dry_run: Literal[True]
    transaction: OpenTokenHoldingAnswerTransaction


class OpenTokenHoldingAnswer202Transaction(Model):
    model_config = ConfigDict(
        extra="allow",
    )
    __annotations__ = {
        "__pydantic_extra__": Dict[str, Any],
    }
    TransactionType: str


class OpenTokenHoldingAnswer202(Model):
    dry_run: Literal[False]
    transaction: OpenTokenHoldingAnswer202Transaction
    transaction_hash: str
    last_ledger_sequence: Annotated[int, Field(description="Past it the transaction can never succeed")]


class OpenTokenHoldingBodyToken(Model):
    kind: Literal["iou"]
    currency: Annotated[str, Field(description="Currency code of the token")]
    issuer: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    limit_tokens: Annotated[
        str,
        Field(
            description="The most that the trust line takes, at most 15 significant digits: what the sales of the account owe"
        ),
    ]


class OpenTokenHoldingBodyToken1(Model):
    kind: Literal["mpt"]
    issuance_id: Annotated[str, Field(description="MPT issuance id")]


class OpenTokenHoldingBody(Model):
    token: OpenTokenHoldingBodyToken | OpenTokenHoldingBodyToken1
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListApprovalsAnswer(Model):
    approvals: list[Approval]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class AskForApprovalBody(Model):
    project_id: Annotated[str, Field(description="Project id")]
    action: Annotated[Literal["launch", "release"], Field(description="What to approve")]
    amount_xrp: Annotated[
        str | None, Field(description="Of a release; everything that is releasable now when omitted")
    ] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class DecideApprovalBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListAuditAnswer(Model):
    entries: list[AuditEntry]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class EraseEventAnswer(Model):
    event_id: Annotated[str, Field(description="Identifier of the event")]
    erased_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    deliveries_cancelled: int
    attempts_removed: Annotated[int, Field(description="Attempts of its deliveries, with the answers")]


class ListJobsAnswer(Model):
    time: Annotated[AwareDatetime, Field(description="By the database’s clock, by which leases run")]
    jobs: list[Job]
    leases: Annotated[
        list[Job],
        Field(
            description="Of single accounts and runs (`signer:…`, `verify-sales:…`), as far as they are held or were within a day; the newest 200"
        ),
    ]


class ListMaintenancesAnswer(Model):
    current: Maintenance | None
    past: list[Maintenance]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class StartMaintenanceBody(Model):
    message: Annotated[str, Field(description="What the public is told")]
    expected_end_at: Annotated[AwareDatetime | None, Field(description="When it is expected to be over")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class EndMaintenanceBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListPaymentsAnswerGroup(Model):
    from_xrp: Annotated[str, Field(description="Of which at least so much is held")]
    below_xrp: Annotated[str | None, Field(description="And less than this; null is no bound")]
    payments: int
    held_xrp: Annotated[str, Field(description="In all")]


class ListPaymentsAnswer(Model):
    payments: list[Payment]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]
    groups: Annotated[
        list[ListPaymentsAnswerGroup],
        Field(
            description="All held payments that `reason`, `account` and `project_id` choose, by size, the largest first; empty with `status` all"
        ),
    ]


class AssignPaymentBody(Model):
    project_id: Annotated[str, Field(description="Project id")]
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsAnswerPayment(Model):
    transaction_hash: str
    sender: str
    held_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class RefundPaymentsAnswerSkippedItem(Model):
    transaction_hash: str
    because: str


class RefundPaymentsAnswer(Model):
    dry_run: bool
    refunded: Annotated[int, Field(description="How many are refunded; in a dry run, would be")]
    amount_xrp: Annotated[str, Field(description="Their held XRP in all")]
    payments: list[RefundPaymentsAnswerPayment]
    skipped: Annotated[list[RefundPaymentsAnswerSkippedItem], Field(description="Selected, but not refunded")]
    beyond_limit: Annotated[
        int, Field(description="Selected beyond `limit`, or not reached in time: send the request again")
    ]


class RefundPaymentsBody1(Model):
    transaction_hashes: Annotated[list[str], Field(description="These payments only")]
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ]
        | None,
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ] = None
    account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: Annotated[str | None, Field(description="Project id")] = None
    min_amount_xrp: Annotated[str | None, Field(description="Only payments of which at least so much is held")] = None
    max_amount_xrp: Annotated[str | None, Field(description="Only payments of which at most so much is held")] = None
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody2(Model):
    transaction_hashes: Annotated[list[str] | None, Field(description="These payments only")] = None
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ],
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ]
    account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: Annotated[str | None, Field(description="Project id")] = None
    min_amount_xrp: Annotated[str | None, Field(description="Only payments of which at least so much is held")] = None
    max_amount_xrp: Annotated[str | None, Field(description="Only payments of which at most so much is held")] = None
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody3(Model):
    transaction_hashes: Annotated[list[str] | None, Field(description="These payments only")] = None
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ]
        | None,
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ] = None
    account: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    project_id: Annotated[str | None, Field(description="Project id")] = None
    min_amount_xrp: Annotated[str | None, Field(description="Only payments of which at least so much is held")] = None
    max_amount_xrp: Annotated[str | None, Field(description="Only payments of which at most so much is held")] = None
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody4(Model):
    transaction_hashes: Annotated[list[str] | None, Field(description="These payments only")] = None
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ]
        | None,
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ] = None
    account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: Annotated[str, Field(description="Project id")]
    min_amount_xrp: Annotated[str | None, Field(description="Only payments of which at least so much is held")] = None
    max_amount_xrp: Annotated[str | None, Field(description="Only payments of which at most so much is held")] = None
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody5(Model):
    transaction_hashes: Annotated[list[str] | None, Field(description="These payments only")] = None
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ]
        | None,
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ] = None
    account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: Annotated[str | None, Field(description="Project id")] = None
    min_amount_xrp: Annotated[str, Field(description="Only payments of which at least so much is held")]
    max_amount_xrp: Annotated[str | None, Field(description="Only payments of which at most so much is held")] = None
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody6(Model):
    transaction_hashes: Annotated[list[str] | None, Field(description="These payments only")] = None
    held_reason: Annotated[
        Literal[
            "no_tag",
            "unknown_tag",
            "not_active",
            "before_start",
            "after_end",
            "between_tiers",
            "below_minimum",
            "above_wallet_cap",
            "not_admitted",
            "below_one_unit",
            "sold_out",
            "soft_cap_missed",
            "cancelled",
            "change",
            "operating_funds",
            "refund_bounced",
            "late_discovery",
            "not_a_payment",
        ]
        | None,
        Field(
            description="Only payments held for this reason. Without it, and without hashes, operating_funds are left alone"
        ),
    ] = None
    account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: Annotated[str | None, Field(description="Project id")] = None
    min_amount_xrp: Annotated[str | None, Field(description="Only payments of which at least so much is held")] = None
    max_amount_xrp: Annotated[str, Field(description="Only payments of which at most so much is held")]
    limit: Annotated[int | None, Field(description="At most so many, the largest first")] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RefundPaymentsBody(
    RootModel[
        RefundPaymentsBody1
        | RefundPaymentsBody2
        | RefundPaymentsBody3
        | RefundPaymentsBody4
        | RefundPaymentsBody5
        | RefundPaymentsBody6
    ]
):
    root: (
        RefundPaymentsBody1
        | RefundPaymentsBody2
        | RefundPaymentsBody3
        | RefundPaymentsBody4
        | RefundPaymentsBody5
        | RefundPaymentsBody6
    )


class ListPayoutsAnswerSummaryItem(Model):
    status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled"] | str
    reason: str | None
    payouts: int
    overdue: int
    amount_xrp: Annotated[str, Field(description="Of refunds and releases")]
    oldest_due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    oldest_age_seconds: int


class ListPayoutsAnswer(Model):
    payouts: list[Payout]
    summary: Annotated[
        list[ListPayoutsAnswerSummaryItem],
        Field(description="Everything that the filters let through, not this page alone; the most first"),
    ]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ActOnPayoutBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]
    transaction_hash: Annotated[
        str | None,
        Field(
            description="With `settle`, and with nothing else: the validated Payment that paid it, from its account to its destination with its tag, of exactly its amount, and of no other payout"
        ),
    ] = None


class RetryPayoutsAnswer(Model):
    retried: Annotated[int, Field(description="Waiting payouts that the next run checks")]
    skipped: Annotated[
        int | None,
        Field(description="How many of `payout_ids` are held, submitted, paid or unknown; null without payout_ids"),
    ]


class RetryPayoutsBody1(Model):
    project_id: str
    waiting_reason: Annotated[
        Literal[
            "destination_missing",
            "destination_is_payer",
            "destination_is_issuer",
            "destination_tag_required",
            "deposit_authorization_required",
            "trust_line_missing",
            "trust_line_unauthorized",
            "trust_line_frozen",
            "trust_line_limit",
            "token_not_opted_in",
            "token_unauthorized",
            "token_locked",
            "issuer_missing",
            "issuer_frozen",
            "issuance_missing",
            "issuance_locked",
            "issuance_maximum",
            "asset_scale_differs",
            "transfer_fee",
            "transfer_not_allowed",
            "escrow_not_allowed",
            "lock_time_passed",
            "lock_undecided",
            "lock_not_made",
            "escrow_not_due",
            "payer_missing",
            "payer_underfunded",
            "payer_frozen",
            "payer_key_disabled",
            "payer_key_changed",
            "facts_unreadable",
            "fee_above_amount",
            "release_below_floor",
            "paid_elsewhere",
            "signing_key_missing",
            "signing_key_unfit",
            "waiting_witnesses",
            "witness_refused",
            "database_behind",
            "unsignable",
            "hourly_ceiling",
            "above_hourly_ceiling",
            "operator_hold",
            "cancelled",
            "soft_cap_missed",
            "invalidTransaction",
        ]
        | str
        | None,
        Field(description="Why it waits or is held: one of the platform’s reasons, or the ledger’s own result"),
    ] = None
    payout_ids: list[str] | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RetryPayoutsBody2(Model):
    project_id: str | None = None
    waiting_reason: Annotated[
        Literal[
            "destination_missing",
            "destination_is_payer",
            "destination_is_issuer",
            "destination_tag_required",
            "deposit_authorization_required",
            "trust_line_missing",
            "trust_line_unauthorized",
            "trust_line_frozen",
            "trust_line_limit",
            "token_not_opted_in",
            "token_unauthorized",
            "token_locked",
            "issuer_missing",
            "issuer_frozen",
            "issuance_missing",
            "issuance_locked",
            "issuance_maximum",
            "asset_scale_differs",
            "transfer_fee",
            "transfer_not_allowed",
            "escrow_not_allowed",
            "lock_time_passed",
            "lock_undecided",
            "lock_not_made",
            "escrow_not_due",
            "payer_missing",
            "payer_underfunded",
            "payer_frozen",
            "payer_key_disabled",
            "payer_key_changed",
            "facts_unreadable",
            "fee_above_amount",
            "release_below_floor",
            "paid_elsewhere",
            "signing_key_missing",
            "signing_key_unfit",
            "waiting_witnesses",
            "witness_refused",
            "database_behind",
            "unsignable",
            "hourly_ceiling",
            "above_hourly_ceiling",
            "operator_hold",
            "cancelled",
            "soft_cap_missed",
            "invalidTransaction",
        ]
        | str,
        Field(description="Why it waits or is held: one of the platform’s reasons, or the ledger’s own result"),
    ]
    payout_ids: list[str] | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RetryPayoutsBody3(Model):
    project_id: str | None = None
    waiting_reason: Annotated[
        Literal[
            "destination_missing",
            "destination_is_payer",
            "destination_is_issuer",
            "destination_tag_required",
            "deposit_authorization_required",
            "trust_line_missing",
            "trust_line_unauthorized",
            "trust_line_frozen",
            "trust_line_limit",
            "token_not_opted_in",
            "token_unauthorized",
            "token_locked",
            "issuer_missing",
            "issuer_frozen",
            "issuance_missing",
            "issuance_locked",
            "issuance_maximum",
            "asset_scale_differs",
            "transfer_fee",
            "transfer_not_allowed",
            "escrow_not_allowed",
            "lock_time_passed",
            "lock_undecided",
            "lock_not_made",
            "escrow_not_due",
            "payer_missing",
            "payer_underfunded",
            "payer_frozen",
            "payer_key_disabled",
            "payer_key_changed",
            "facts_unreadable",
            "fee_above_amount",
            "release_below_floor",
            "paid_elsewhere",
            "signing_key_missing",
            "signing_key_unfit",
            "waiting_witnesses",
            "witness_refused",
            "database_behind",
            "unsignable",
            "hourly_ceiling",
            "above_hourly_ceiling",
            "operator_hold",
            "cancelled",
            "soft_cap_missed",
            "invalidTransaction",
        ]
        | str
        | None,
        Field(description="Why it waits or is held: one of the platform’s reasons, or the ledger’s own result"),
    ] = None
    payout_ids: list[str]
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class RetryPayoutsBody(RootModel[RetryPayoutsBody1 | RetryPayoutsBody2 | RetryPayoutsBody3]):
    root: RetryPayoutsBody1 | RetryPayoutsBody2 | RetryPayoutsBody3


class AdminListProjectsAnswer(Model):
    projects: list[Project]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class CreateProjectBodyLink(Model):
    label: str
    url: str


class CreateProjectBodyTeamItem(Model):
    name: str
    role: str
    url: str | None = None


class CreateProjectBodyDocument(Model):
    title: str
    url: str
    sha256: Annotated[
        str | None, Field(description="SHA-256 of the file, so that anyone can tell whether it was changed")
    ] = None


class CreateProjectBodyToken(Model):
    kind: Literal["iou"]
    currency: Annotated[str, Field(description="Currency code of the token")]
    issuer: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    decimals: int | None = None


class CreateProjectBodyToken1(Model):
    kind: Literal["mpt"]
    issuance_id: Annotated[str, Field(description="MPT issuance id")]
    decimals: Annotated[int, Field(description="The AssetScale of the issuance")]


class CreateProjectBodyTierCredential(Model):
    type: Annotated[str | None, Field(description="The type as text")] = None
    credential_type: Annotated[
        str | None, Field(description="The type in hexadecimal, as the ledger has it; in place of `type`")
    ] = None
    issuers: Annotated[list[str], Field(description="Accounts of which any one must have issued it")]


class CreateProjectBodyTier(Model):
    tier: Annotated[int | None, Field(description="Number of the tier; when given, tiers must count from 1")] = None
    price_per_token: Annotated[
        str, Field(description="XRP for one token, a positive decimal string of up to 12 fractional digits")
    ]
    total_tokens: Annotated[str, Field(description="Supply of the tier, a multiple of the token unit")]
    access: Literal["open", "allowlist"] | None = None
    credential: Annotated[
        CreateProjectBodyTierCredential | None,
        Field(
            description="Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for"
        ),
    ] = None
    starts_at: Annotated[
        AwareDatetime | None,
        Field(description="The tier does not sell before this time, also when the tier before it is full"),
    ] = None


class CreateProjectBodyVesting(Model):
    immediate_bps: Annotated[int, Field(description="Due at once, in hundredths of a percent")]
    cliff_days: int | None = None
    period_days: int | None = None
    periods: int | None = None


class CreateProjectBodyLock(Model):
    label: Annotated[str, Field(description="Whose tokens they are, for investors")]
    receiver: Annotated[str, Field(description="Destination of every escrow of the lock")]
    amount: Annotated[str, Field(description="Tokens that cannot move before `until`, a multiple of the token unit")]
    until: AwareDatetime
    escrows: Annotated[
        list[str] | None,
        Field(
            description="Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock"
        ),
    ] = None


class CreateProjectBody(Model):
    name: str
    slug: str | None = None
    description: str | None = None
    website: str | None = None
    logo: str | None = None
    links: list[CreateProjectBodyLink] | None = None
    team: list[CreateProjectBodyTeamItem] | None = None
    documents: list[CreateProjectBodyDocument] | None = None
    token: CreateProjectBodyToken | CreateProjectBodyToken1
    distributor: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    tiers: list[CreateProjectBodyTier]
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    min_investment_xrp: Annotated[
        str | None,
        Field(
            description="Minimum payment: a smaller payment is refunded in full. If omitted, it is 1 XRP (or the setting DEFAULT_MIN_INVESTMENT_DROPS), at most max_per_wallet_xrp and what the whole sale costs; null for none, so that payments of one drop each cause payouts"
        ),
    ] = None
    soft_cap_xrp: Annotated[
        str | None, Field(description='Below it every payment is refunded; requires distribution "at_end"')
    ] = None
    max_per_wallet_xrp: Annotated[str | None, Field(description="Over all payments of one wallet")] = None
    access: Literal["open", "allowlist"] | None = None
    distribution: Literal["immediate", "at_end"] | None = None
    vesting: CreateProjectBodyVesting | None = None
    treasury: str | None = None
    claim_days: int | None = None
    locks: Annotated[
        list[CreateProjectBodyLock] | None,
        Field(
            description="Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount"
        ),
    ] = None
    unsold_until: Annotated[
        AwareDatetime | None,
        Field(
            description="When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none"
        ),
    ] = None
    vesting_locked: Annotated[
        bool | None,
        Field(
            description="When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due"
        ),
    ] = None
    deposit_address: Annotated[
        str,
        Field(description="Account that receives the payments. Set RequireDest on it, so that nobody forgets the tag"),
    ]


class PatchProjectBodyLink(Model):
    label: str
    url: str


class PatchProjectBodyTeamItem(Model):
    name: str
    role: str
    url: str | None = None


class PatchProjectBodyDocument(Model):
    title: str
    url: str
    sha256: Annotated[
        str | None, Field(description="SHA-256 of the file, so that anyone can tell whether it was changed")
    ] = None


class PatchProjectBodyToken(Model):
    kind: Literal["iou"]
    currency: Annotated[str, Field(description="Currency code of the token")]
    issuer: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    decimals: int | None = None


class PatchProjectBodyToken1(Model):
    kind: Literal["mpt"]
    issuance_id: Annotated[str, Field(description="MPT issuance id")]
    decimals: Annotated[int, Field(description="The AssetScale of the issuance")]


class PatchProjectBodyTierCredential(Model):
    type: Annotated[str | None, Field(description="The type as text")] = None
    credential_type: Annotated[
        str | None, Field(description="The type in hexadecimal, as the ledger has it; in place of `type`")
    ] = None
    issuers: Annotated[list[str], Field(description="Accounts of which any one must have issued it")]


class PatchProjectBodyTier(Model):
    tier: Annotated[int | None, Field(description="Number of the tier; when given, tiers must count from 1")] = None
    price_per_token: Annotated[
        str, Field(description="XRP for one token, a positive decimal string of up to 12 fractional digits")
    ]
    total_tokens: Annotated[str, Field(description="Supply of the tier, a multiple of the token unit")]
    access: Literal["open", "allowlist"] | None = None
    credential: Annotated[
        PatchProjectBodyTierCredential | None,
        Field(
            description="Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for"
        ),
    ] = None
    starts_at: Annotated[
        AwareDatetime | None,
        Field(description="The tier does not sell before this time, also when the tier before it is full"),
    ] = None


class PatchProjectBodyVesting(Model):
    immediate_bps: Annotated[int, Field(description="Due at once, in hundredths of a percent")]
    cliff_days: int | None = None
    period_days: int | None = None
    periods: int | None = None


class PatchProjectBodyLock(Model):
    label: Annotated[str, Field(description="Whose tokens they are, for investors")]
    receiver: Annotated[str, Field(description="Destination of every escrow of the lock")]
    amount: Annotated[str, Field(description="Tokens that cannot move before `until`, a multiple of the token unit")]
    until: AwareDatetime
    escrows: Annotated[
        list[str] | None,
        Field(
            description="Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock"
        ),
    ] = None


class PatchProjectBody(Model):
    name: str | None = None
    slug: str | None = None
    description: str | None = None
    website: str | None = None
    logo: str | None = None
    links: list[PatchProjectBodyLink] | None = None
    team: list[PatchProjectBodyTeamItem] | None = None
    documents: list[PatchProjectBodyDocument] | None = None
    token: PatchProjectBodyToken | PatchProjectBodyToken1 | None = None
    distributor: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    tiers: list[PatchProjectBodyTier] | None = None
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    min_investment_xrp: Annotated[
        str | None, Field(description="Minimum payment: a smaller payment is refunded in full. null for none")
    ] = None
    soft_cap_xrp: Annotated[
        str | None, Field(description='Below it every payment is refunded; requires distribution "at_end"')
    ] = None
    max_per_wallet_xrp: Annotated[str | None, Field(description="Over all payments of one wallet")] = None
    access: Literal["open", "allowlist"] | None = None
    distribution: Literal["immediate", "at_end"] | None = None
    vesting: PatchProjectBodyVesting | None = None
    treasury: str | None = None
    claim_days: int | None = None
    locks: Annotated[
        list[PatchProjectBodyLock] | None,
        Field(
            description="Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount"
        ),
    ] = None
    unsold_until: Annotated[
        AwareDatetime | None,
        Field(
            description="When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none"
        ),
    ] = None
    vesting_locked: Annotated[
        bool | None,
        Field(
            description="When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due"
        ),
    ] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]
    deposit_address: Any | None = None


class ActOnProjectBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class AdminListAllowlistsAnswer(Model):
    lists: list[AllowList]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class CreateAllowlistBody(Model):
    reason: Annotated[str | None, Field(description="Why; stands in the audit log")] = None


class CommitAllowlistAnswerAnchor(Model):
    transaction_hash: str
    ledger_index: int
    applied_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CommitAllowlistAnswerPendingAction(Model):
    action: Literal["launch", "pause", "resume", "end", "cancel", "list", "assign"] | str
    transaction_hash: str


class CommitAllowlistAnswer(Model):
    id: str
    project_id: Annotated[str, Field(description="Project id")]
    version: Annotated[
        int,
        Field(
            description="One more than the highest version of the project so far; the number of a discarded draft may be used again"
        ),
    ]
    status: Literal["draft", "committed"] | str
    entries: Annotated[int, Field(description="Wallets on it")]
    hash: Annotated[str | None, Field(description="SHA-256 of the bytes behind `url`; null while it is a draft")]
    in_force: Annotated[bool, Field(description="The last `list` action on the ledger names this version")]
    anchors: Annotated[
        list[CommitAllowlistAnswerAnchor], Field(description="Actions that have put it in force, in ledger order")
    ]
    url: Annotated[str | None, Field(description="The published entries as JSON Lines; null while it is a draft")]
    committed_at: AwareDatetime | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    pending_action: CommitAllowlistAnswerPendingAction | None


class CommitAllowlistBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class AddAllowlistEntriesAnswer(Model):
    added: Annotated[int, Field(description="Wallets that are new on the draft")]
    changed: Annotated[int, Field(description="Wallets whose cap is another now")]
    entries: Annotated[int, Field(description="Wallets on the draft")]


class AddAllowlistEntriesBodyEntry(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    cap_xrp: Annotated[
        str | None,
        Field(description="What the wallet may invest in all, in XRP; null or left out: no limit of its own"),
    ] = None


class AddAllowlistEntriesBody(Model):
    entries: list[AddAllowlistEntriesBodyEntry]
    first_line: Annotated[
        int | None,
        Field(
            description="Line of your file on which the first entry stands: faults then name lines, also in later parts"
        ),
    ] = None
    reason: Annotated[str | None, Field(description="Why; stands in the audit log")] = None


class CreateAllowlistFromPlatformIdsAnswer(Model):
    dry_run: bool
    wallets: Annotated[int, Field(description="Wallets that qualify")]
    min_level: str
    required_balance: Annotated[str, Field(description="What each of them held at least; 0 is any amount above zero")]
    ledger_index: Annotated[int, Field(description="Ledger of the snapshot")]
    synced_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    list: Annotated[AllowList | None, Field(description="The draft with these wallets; null in a dry run")]


class CreateAllowlistFromPlatformIdsBody(Model):
    min_level: Annotated[
        str, Field(description="The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS")
    ]
    cap_xrp: Annotated[
        str | None,
        Field(description="What each wallet may invest in listed tiers; null or left out: no limit of its own"),
    ] = None
    ledger_index: Annotated[int | None, Field(description="Make it of this snapshot only, as a dry run showed it")] = (
        None
    )
    dry_run: Annotated[bool | None, Field(description="Only count")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ReleaseRaisedAnswer(Model):
    dry_run: bool
    amount_xrp: Annotated[str, Field(description="What is released; in a dry run, what would be")]
    release: Annotated[Release | None, Field(description="Null in a dry run")]
    figures: Annotated[ReleaseAmounts, Field(description="With this release counted, a dry run apart")]


class ReleaseRaisedBody(Model):
    amount_xrp: Annotated[str | None, Field(description="Everything that is releasable when omitted")] = None
    release_id: Annotated[
        str | None, Field(description="Your own name for it: asking again with the same one releases nothing more")
    ] = None
    dry_run: bool | None = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListWitnessesAnswer(Model):
    witnesses: list[Witness]


class ChatWithAssistantAnswerSource(Model):
    title: str
    url: str


class ChatWithAssistantAnswerCard(Model):
    kind: Literal["pay", "quote", "sale", "tag", "exchange", "refund", "delivery", "key"] | str
    title: str
    facts: Annotated[dict[str, str], Field(description="What the card shows, by name; amounts as decimals")]


class ChatWithAssistantAnswerSuggestion(Model):
    title: str
    prompt: str


class ChatWithAssistantAnswer(Model):
    conversation_id: Annotated[
        str, Field(description="Send it with the next message. Kept for an hour after the last one")
    ]
    reply: Annotated[
        str, Field(description="Markdown without HTML and images; links lead to this platform or the explorer")
    ]
    sources: Annotated[
        list[ChatWithAssistantAnswerSource], Field(description="The pages where the figures of the reply stand")
    ]
    cards: Annotated[
        list[ChatWithAssistantAnswerCard],
        Field(
            description="What the reply shows from live data, for programs. A `pay` card is there only while a payment would buy something"
        ),
    ]
    suggestions: Annotated[list[ChatWithAssistantAnswerSuggestion], Field(description="What may be asked next")]
    model: Annotated[
        str,
        Field(
            description="Who wrote the reply: a language model by its name, `built-in`, or `safety` for a fixed reply"
        ),
    ]


class ChatWithAssistantBody(Model):
    message: str
    conversation_id: Annotated[
        str | None,
        Field(description="From an earlier answer; continues that conversation. One that is over begins a new one"),
    ] = None
    wallet_address: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    project_id: str | None = None
    audience: Annotated[
        Literal["investor", "developer", "operator"] | None,
        Field(
            description="Who asks: their questions and guides come first. With a `project_id` an investor, unless given"
        ),
    ] = None


class GetAssistantSuggestionsAnswerSuggestion(Model):
    title: str
    prompt: str


class GetAssistantSuggestionsAnswerHelpItem(Model):
    title: str
    text: str


class GetAssistantSuggestionsAnswer(Model):
    suggestions: list[GetAssistantSuggestionsAnswerSuggestion]
    help: list[GetAssistantSuggestionsAnswerHelpItem]


class CreateWalletChallengeAnswer(Model):
    id: Annotated[str, Field(description="`challenge_id` of the proof")]
    message: Annotated[
        str,
        Field(description="Sign its UTF-8 bytes as they are; it names domain, network, action, wallet, nonce and end"),
    ]
    wallet_address: Annotated[
        Any, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CreateWalletChallengeBody1(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    action: Literal["revoke_key"]
    key_id: Annotated[str, Field(description="The key to revoke; for `revoke_key` only")]


class CreateWalletChallengeBody2(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    action: Literal["create_key", "list_keys", "set_display_name", "sign_in"]


class CreateWalletChallengeBody(RootModel[CreateWalletChallengeBody1 | CreateWalletChallengeBody2]):
    root: CreateWalletChallengeBody1 | CreateWalletChallengeBody2


class CreateApiKeyAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the key")]
    api_key: Annotated[str, Field(description="The key itself; store it now, it is never shown again")]
    prefix: Annotated[str, Field(description="First characters of the key")]
    wallet_verified: Annotated[bool, Field(description="The key belongs to the wallet, which proved itself")]
    scopes: list[Literal["webhooks:read", "webhooks:write"] | str]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: AwareDatetime | None


class CreateApiKeyBodyProof(Model):
    challenge_id: Annotated[str, Field(description="`id` of the challenge")]
    public_key: Annotated[
        str, Field(description="Public key that signed: the wallet’s master key or its current regular key")
    ]
    signature: Annotated[str, Field(description="Signature over the UTF-8 bytes of the challenge’s `message`")]


class CreateApiKeyBody(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    name: Annotated[str | None, Field(description="A name of your own for the key")] = None
    scopes: Annotated[
        list[Literal["webhooks:read", "webhooks:write"]] | None,
        Field(description="What the key may do; left out, all scopes, or those of the key that asks"),
    ] = None
    expires_in_days: Annotated[
        int | None, Field(description="Days until the key ends; it does not end when left out")
    ] = None
    proof: Annotated[
        CreateApiKeyBodyProof | None,
        Field(description="Shows that a wallet’s key signed a challenge. A challenge is good for one try."),
    ] = None


class ListApiKeysRow(Model):
    id: Annotated[str, Field(description="Identifier of the key")]
    prefix: Annotated[str, Field(description="First characters of the key")]
    wallet_verified: Annotated[bool, Field(description="The key belongs to the wallet, which proved itself")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: AwareDatetime | None
    last_used_at: AwareDatetime | None
    revoked_at: AwareDatetime | None
    name: Annotated[str | None, Field(description="Only for a key or proof of its tenant")] = None
    scopes: Annotated[
        list[Literal["webhooks:read", "webhooks:write"] | str] | None,
        Field(description="Only for a key or proof of its tenant"),
    ] = None


class ListApiKeysAnswer(Model):
    api_keys: list[ListApiKeysRow]
    next_cursor: str | None


class ListProvenApiKeysRow(Model):
    id: Annotated[str, Field(description="Identifier of the key")]
    prefix: Annotated[str, Field(description="First characters of the key")]
    wallet_verified: Annotated[bool, Field(description="The key belongs to the wallet, which proved itself")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: AwareDatetime | None
    last_used_at: AwareDatetime | None
    revoked_at: AwareDatetime | None
    name: Annotated[str | None, Field(description="Only for a key or proof of its tenant")] = None
    scopes: Annotated[
        list[Literal["webhooks:read", "webhooks:write"] | str] | None,
        Field(description="Only for a key or proof of its tenant"),
    ] = None


class ListProvenApiKeysAnswer(Model):
    api_keys: list[ListProvenApiKeysRow]
    next_cursor: str | None


class ListProvenApiKeysBodyProof(Model):
    challenge_id: Annotated[str, Field(description="`id` of the challenge")]
    public_key: Annotated[
        str, Field(description="Public key that signed: the wallet’s master key or its current regular key")
    ]
    signature: Annotated[str, Field(description="Signature over the UTF-8 bytes of the challenge’s `message`")]


class ListProvenApiKeysBody(Model):
    proof: Annotated[
        ListProvenApiKeysBodyProof,
        Field(description="Shows that a wallet’s key signed a challenge. A challenge is good for one try."),
    ]


class RevokeApiKeyAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the key")]
    revoked_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class RevokeApiKeyBody1(Model):
    api_key: Annotated[str, Field(description="The key itself")]


class RevokeApiKeyBody2Proof(Model):
    challenge_id: Annotated[str, Field(description="`id` of the challenge")]
    public_key: Annotated[
        str, Field(description="Public key that signed: the wallet’s master key or its current regular key")
    ]
    signature: Annotated[str, Field(description="Signature over the UTF-8 bytes of the challenge’s `message`")]


class RevokeApiKeyBody2(Model):
    key_id: Annotated[str, Field(description="Its id, with a proof of the wallet that it belongs to")]
    proof: Annotated[
        RevokeApiKeyBody2Proof,
        Field(description="Shows that a wallet’s key signed a challenge. A challenge is good for one try."),
    ]


class RevokeApiKeyBody(RootModel[RevokeApiKeyBody1 | RevokeApiKeyBody2]):
    root: RevokeApiKeyBody1 | RevokeApiKeyBody2


class HolderStatsAnswerExcluded(Model):
    accounts: int
    balance: Annotated[str, Field(description="Tokens, exact: six fractional digits, or more where there are more")]


class HolderStatsAnswerHistogramItem(Model):
    from_: Annotated[
        str, Field(alias="from", description="Tokens, exact: six fractional digits, or more where there are more")
    ]
    to: str | None
    holders: int


class HolderStatsAnswerChange(Model):
    since: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ledger_index: int
    holders: int
    added: int
    removed: int


class HolderStatsAnswer(Model):
    token: Annotated[str, Field(description="The token: `<currency>.<issuer>`, or the MPT issuance id")]
    sync_id: Annotated[str, Field(description="The snapshot")]
    holders: int
    supply: Annotated[str, Field(description="What all holders have together")]
    excluded: Annotated[
        HolderStatsAnswerExcluded,
        Field(description="Accounts with supply that is not in circulation; they count nowhere else"),
    ]
    top_10_share: float | None
    top_100_share: float | None
    gini: Annotated[float | None, Field(description="Gini coefficient: 0 when all hold the same")]
    median: str | None
    histogram: Annotated[
        list[HolderStatsAnswerHistogramItem],
        Field(description="Holders by balance: `from` belongs to a step, `to` to the next one"),
    ]
    change: HolderStatsAnswerChange | None
    ledger_index: Annotated[int, Field(description="The validated ledger that all of it was read from")]
    ledger_closed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    synced_at: Annotated[AwareDatetime, Field(description="When the snapshot was complete")]


class ProcessPaymentsAnswerLedger(Model):
    from_: Annotated[int | None, Field(alias="from")]
    to: int | None


class ProcessPaymentsAnswerPayouts(Model):
    settled: int
    submitted: int
    validated: int
    expired: int
    waiting: int
    held: int


class ProcessPaymentsAnswerDeliveries(Model):
    written: int
    released: int
    republished: int
    pruned_events: int


class ProcessPaymentsAnswer(Model):
    ledger: ProcessPaymentsAnswerLedger
    recognised: int
    confirmed: int
    refused: int
    tiers_completed: int
    cancelled_investments: int
    planned: int
    payouts: ProcessPaymentsAnswerPayouts
    deliveries: ProcessPaymentsAnswerDeliveries
    faults: list[str]
    continued: bool
    duration_ms: int


class SyncHoldersAnswerSync(Model):
    sync_id: Annotated[str | None, Field(description="Null when nothing could be begun")]
    token: Annotated[str, Field(description="The token: `<currency>.<issuer>`, or the MPT issuance id")]
    status: Literal["running", "complete", "failed"] | str
    ledger_index: int | None
    holders: Annotated[
        int, Field(description="While it runs: what has been read of them, excluded accounts among them")
    ]
    added: Annotated[int | None, Field(description="Against the snapshot before; null without one, or while it runs")]
    removed: int | None
    pages: int


class SyncHoldersAnswer(Model):
    sync_id: Annotated[str | None, Field(description="Null when nothing could be begun")]
    token: str | None
    status: Annotated[
        Literal["none", "running", "complete", "failed"] | str,
        Field(description="Of the first token, the platform’s where it has one; `none` when there is no token"),
    ]
    ledger_index: int | None
    holders: Annotated[
        int, Field(description="While it runs: what has been read of them, excluded accounts among them")
    ]
    added: Annotated[int | None, Field(description="Against the snapshot before; null without one, or while it runs")]
    removed: int | None
    pages: int
    syncs: Annotated[list[SyncHoldersAnswerSync], Field(description="Every token that this slice has reached")]
    faults: Annotated[list[str], Field(description="What failed; the next run tries it again")]
    continued: Annotated[bool, Field(description="The queue brings the next slice")]
    duration_ms: int


class ListEventsAnswer(Model):
    events: Annotated[
        list[
            Annotated[
                InvestmentCreatedEvent
                | InvestmentConfirmedEvent
                | InvestmentFailedEvent
                | InvestmentTokensDistributedEvent
                | InvestmentRefundedEvent
                | ProjectLaunchedEvent
                | ProjectTierCompletedEvent
                | ProjectMilestoneReachedEvent
                | ProjectSaleEndedEvent
                | ProjectCancelledEvent
                | SystemMaintenanceStartEvent
                | SystemMaintenanceEndEvent
                | SystemNetworkStatusEvent
                | SystemWebhookDisabledEvent
                | SystemDeliveryFailedEvent
                | SystemAlertEvent,
                Field(discriminator="event_type"),
            ]
        ],
        Field(description="Each is the same as the body that a webhook receives"),
    ]
    next_cursor: Annotated[
        str, Field(description="Continue here, now or later. It is never null, and moves on when `events` is empty too")
    ]
    has_more: Annotated[
        bool, Field(description="Whether to ask again at once. A page may be short, or empty, and have more")
    ]


class ListHoldersAnswer(Model):
    token: Annotated[str, Field(description="The token: `<currency>.<issuer>`, or the MPT issuance id")]
    sync_id: Annotated[str, Field(description="The snapshot")]
    holders: list[Holder]
    ledger_index: Annotated[int, Field(description="The validated ledger that all of it was read from")]
    ledger_closed_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    synced_at: Annotated[AwareDatetime, Field(description="When the snapshot was complete")]
    next_cursor: Annotated[
        str | None,
        Field(description="Of this snapshot: when the next one is complete it answers 410, and the list begins anew"),
    ]


class ListHolderSnapshotsAnswer(Model):
    token: Annotated[str, Field(description="The token: `<currency>.<issuer>`, or the MPT issuance id")]
    snapshots: list[HolderSnapshot]
    next_cursor: str | None


class ListInvestmentsAnswer(Model):
    investments: list[Investment]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class GetOpenapiAnswer(Model):
    model_config = ConfigDict(
        extra="allow",
    )
    __annotations__ = {
        "__pydantic_extra__": Dict[str, Any],
    }
    openapi: str
    paths: dict[str, Any]


class ListOwnAuditAnswer(Model):
    entries: list[AuditEntry]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ListInvitationsAnswer(Model):
    invitations: list[Invitation]


class InviteMemberBody(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    role: Annotated[
        Literal["viewer", "editor", "owner"],
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]


class GetMeAnswerTenant(Model):
    id: Annotated[str, Field(description="Identifier of the tenant")]
    wallet_address: Annotated[str, Field(description="The wallet that the tenant is of; it always stays an owner")]


class GetMeAnswerSession(Model):
    id: Annotated[str, Field(description="Identifier of the session")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    current: Annotated[bool, Field(description="The session that asks")]


class GetMeAnswerMembershipTenant(Model):
    id: Annotated[str, Field(description="Identifier of the tenant")]
    wallet_address: Annotated[str, Field(description="The wallet that the tenant is of; it always stays an owner")]


class GetMeAnswerMembership(Model):
    tenant: GetMeAnswerMembershipTenant
    role: Annotated[
        Literal["viewer", "editor", "owner"] | str,
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]


class GetMeAnswerInvitationTenant(Model):
    id: Annotated[str, Field(description="Identifier of the tenant")]
    wallet_address: Annotated[str, Field(description="The wallet that the tenant is of; it always stays an owner")]


class GetMeAnswerInvitation(Model):
    id: Annotated[str, Field(description="Identifier of the invitation")]
    tenant: GetMeAnswerInvitationTenant
    role: Annotated[
        Literal["viewer", "editor", "owner"] | str,
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetMeAnswer(Model):
    tenant: GetMeAnswerTenant
    member: Member
    session: GetMeAnswerSession
    memberships: Annotated[
        list[GetMeAnswerMembership],
        Field(description="All of the wallet, this one among them; sign in with its `tenant.id` to act for another"),
    ]
    deposit_accounts: Annotated[
        list[str],
        Field(description="Deposit accounts on which owners may draft sales; where there are none, no owner can"),
    ]
    invitations: Annotated[
        list[GetMeAnswerInvitation],
        Field(description="Open ones of the wallet, the newest 50 first; sign in with `invitation_id` to accept one"),
    ]


class ListMembersAnswer(Model):
    members: list[Member]


class ChangeMemberBody(Model):
    role: Annotated[
        Literal["viewer", "editor", "owner"],
        Field(
            description="`viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members"
        ),
    ]


class ListOwnProjectsAnswer(Model):
    projects: list[Project]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class CreateOwnProjectBodyLink(Model):
    label: str
    url: str


class CreateOwnProjectBodyTeamItem(Model):
    name: str
    role: str
    url: str | None = None


class CreateOwnProjectBodyDocument(Model):
    title: str
    url: str
    sha256: Annotated[
        str | None, Field(description="SHA-256 of the file, so that anyone can tell whether it was changed")
    ] = None


class CreateOwnProjectBodyToken(Model):
    kind: Literal["iou"]
    currency: Annotated[str, Field(description="Currency code of the token")]
    issuer: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    decimals: int | None = None


class CreateOwnProjectBodyToken1(Model):
    kind: Literal["mpt"]
    issuance_id: Annotated[str, Field(description="MPT issuance id")]
    decimals: Annotated[int, Field(description="The AssetScale of the issuance")]


class CreateOwnProjectBodyTierCredential(Model):
    type: Annotated[str | None, Field(description="The type as text")] = None
    credential_type: Annotated[
        str | None, Field(description="The type in hexadecimal, as the ledger has it; in place of `type`")
    ] = None
    issuers: Annotated[list[str], Field(description="Accounts of which any one must have issued it")]


class CreateOwnProjectBodyTier(Model):
    tier: Annotated[int | None, Field(description="Number of the tier; when given, tiers must count from 1")] = None
    price_per_token: Annotated[
        str, Field(description="XRP for one token, a positive decimal string of up to 12 fractional digits")
    ]
    total_tokens: Annotated[str, Field(description="Supply of the tier, a multiple of the token unit")]
    access: Literal["open", "allowlist"] | None = None
    credential: Annotated[
        CreateOwnProjectBodyTierCredential | None,
        Field(
            description="Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for"
        ),
    ] = None
    starts_at: Annotated[
        AwareDatetime | None,
        Field(description="The tier does not sell before this time, also when the tier before it is full"),
    ] = None


class CreateOwnProjectBodyVesting(Model):
    immediate_bps: Annotated[int, Field(description="Due at once, in hundredths of a percent")]
    cliff_days: int | None = None
    period_days: int | None = None
    periods: int | None = None


class CreateOwnProjectBodyLock(Model):
    label: Annotated[str, Field(description="Whose tokens they are, for investors")]
    receiver: Annotated[str, Field(description="Destination of every escrow of the lock")]
    amount: Annotated[str, Field(description="Tokens that cannot move before `until`, a multiple of the token unit")]
    until: AwareDatetime
    escrows: Annotated[
        list[str] | None,
        Field(
            description="Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock"
        ),
    ] = None


class CreateOwnProjectBody(Model):
    name: str
    slug: Any | None = None
    description: str | None = None
    website: str | None = None
    logo: str | None = None
    links: list[CreateOwnProjectBodyLink] | None = None
    team: list[CreateOwnProjectBodyTeamItem] | None = None
    documents: list[CreateOwnProjectBodyDocument] | None = None
    token: CreateOwnProjectBodyToken | CreateOwnProjectBodyToken1
    distributor: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    tiers: list[CreateOwnProjectBodyTier]
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    min_investment_xrp: Annotated[
        str | None,
        Field(
            description="Minimum payment: a smaller payment is refunded in full. If omitted, it is 1 XRP (or the setting DEFAULT_MIN_INVESTMENT_DROPS), at most max_per_wallet_xrp and what the whole sale costs; null for none, so that payments of one drop each cause payouts"
        ),
    ] = None
    soft_cap_xrp: Annotated[
        str | None, Field(description='Below it every payment is refunded; requires distribution "at_end"')
    ] = None
    max_per_wallet_xrp: Annotated[str | None, Field(description="Over all payments of one wallet")] = None
    access: Literal["open", "allowlist"] | None = None
    distribution: Literal["immediate", "at_end"] | None = None
    vesting: CreateOwnProjectBodyVesting | None = None
    treasury: str | None = None
    claim_days: int | None = None
    locks: Annotated[
        list[CreateOwnProjectBodyLock] | None,
        Field(
            description="Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount"
        ),
    ] = None
    unsold_until: Annotated[
        AwareDatetime | None,
        Field(
            description="When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none"
        ),
    ] = None
    vesting_locked: Annotated[
        bool | None,
        Field(
            description="When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due"
        ),
    ] = None
    deposit_address: Annotated[
        str,
        Field(description="Account that receives the payments. Set RequireDest on it, so that nobody forgets the tag"),
    ]


class PatchOwnProjectBodyLink(Model):
    label: str
    url: str


class PatchOwnProjectBodyTeamItem(Model):
    name: str
    role: str
    url: str | None = None


class PatchOwnProjectBodyDocument(Model):
    title: str
    url: str
    sha256: Annotated[
        str | None, Field(description="SHA-256 of the file, so that anyone can tell whether it was changed")
    ] = None


class PatchOwnProjectBodyToken(Model):
    kind: Literal["iou"]
    currency: Annotated[str, Field(description="Currency code of the token")]
    issuer: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    decimals: int | None = None


class PatchOwnProjectBodyToken1(Model):
    kind: Literal["mpt"]
    issuance_id: Annotated[str, Field(description="MPT issuance id")]
    decimals: Annotated[int, Field(description="The AssetScale of the issuance")]


class PatchOwnProjectBodyTierCredential(Model):
    type: Annotated[str | None, Field(description="The type as text")] = None
    credential_type: Annotated[
        str | None, Field(description="The type in hexadecimal, as the ledger has it; in place of `type`")
    ] = None
    issuers: Annotated[list[str], Field(description="Accounts of which any one must have issued it")]


class PatchOwnProjectBodyTier(Model):
    tier: Annotated[int | None, Field(description="Number of the tier; when given, tiers must count from 1")] = None
    price_per_token: Annotated[
        str, Field(description="XRP for one token, a positive decimal string of up to 12 fractional digits")
    ]
    total_tokens: Annotated[str, Field(description="Supply of the tier, a multiple of the token unit")]
    access: Literal["open", "allowlist"] | None = None
    credential: Annotated[
        PatchOwnProjectBodyTierCredential | None,
        Field(
            description="Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for"
        ),
    ] = None
    starts_at: Annotated[
        AwareDatetime | None,
        Field(description="The tier does not sell before this time, also when the tier before it is full"),
    ] = None


class PatchOwnProjectBodyVesting(Model):
    immediate_bps: Annotated[int, Field(description="Due at once, in hundredths of a percent")]
    cliff_days: int | None = None
    period_days: int | None = None
    periods: int | None = None


class PatchOwnProjectBodyLock(Model):
    label: Annotated[str, Field(description="Whose tokens they are, for investors")]
    receiver: Annotated[str, Field(description="Destination of every escrow of the lock")]
    amount: Annotated[str, Field(description="Tokens that cannot move before `until`, a multiple of the token unit")]
    until: AwareDatetime
    escrows: Annotated[
        list[str] | None,
        Field(
            description="Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock"
        ),
    ] = None


class PatchOwnProjectBody(Model):
    name: str | None = None
    slug: Any | None = None
    description: str | None = None
    website: str | None = None
    logo: str | None = None
    links: list[PatchOwnProjectBodyLink] | None = None
    team: list[PatchOwnProjectBodyTeamItem] | None = None
    documents: list[PatchOwnProjectBodyDocument] | None = None
    token: PatchOwnProjectBodyToken | PatchOwnProjectBodyToken1 | None = None
    distributor: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None
    tiers: list[PatchOwnProjectBodyTier] | None = None
    starts_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    min_investment_xrp: Annotated[
        str | None, Field(description="Minimum payment: a smaller payment is refunded in full. null for none")
    ] = None
    soft_cap_xrp: Annotated[
        str | None, Field(description='Below it every payment is refunded; requires distribution "at_end"')
    ] = None
    max_per_wallet_xrp: Annotated[str | None, Field(description="Over all payments of one wallet")] = None
    access: Literal["open", "allowlist"] | None = None
    distribution: Literal["immediate", "at_end"] | None = None
    vesting: PatchOwnProjectBodyVesting | None = None
    treasury: str | None = None
    claim_days: int | None = None
    locks: Annotated[
        list[PatchOwnProjectBodyLock] | None,
        Field(
            description="Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount"
        ),
    ] = None
    unsold_until: Annotated[
        AwareDatetime | None,
        Field(
            description="When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none"
        ),
    ] = None
    vesting_locked: Annotated[
        bool | None,
        Field(
            description="When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due"
        ),
    ] = None
    reason: Annotated[str | None, Field(description="Why; stands in the audit log")] = None
    deposit_address: Any | None = None


class ActOnOwnProjectBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListOwnApprovalsAnswer(Model):
    approvals: list[Approval]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class AskForOwnApprovalBody(Model):
    action: Annotated[Literal["launch", "release"], Field(description="What to approve")]
    amount_xrp: Annotated[
        str | None, Field(description="Of a release; everything that is releasable now when omitted")
    ] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class WithdrawOwnApprovalBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListOwnInvestmentsAnswer(Model):
    investments: list[Investment]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ListOwnInvestorsRow(Model):
    wallet_address: str
    invested_xrp: Annotated[str, Field(description="By confirmed payments; what a cancellation refunded counts")]
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    payments: int
    last_paid_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListOwnInvestorsAnswer(Model):
    investors: list[ListOwnInvestorsRow]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ListOwnAllowlistsAnswer(Model):
    lists: list[AllowList]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class CreateOwnAllowlistBody(Model):
    reason: Annotated[str | None, Field(description="Why; stands in the audit log")] = None


class CommitOwnAllowlistAnswerAnchor(Model):
    transaction_hash: str
    ledger_index: int
    applied_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CommitOwnAllowlistAnswerPendingAction(Model):
    action: Literal["launch", "pause", "resume", "end", "cancel", "list", "assign"] | str
    transaction_hash: str


class CommitOwnAllowlistAnswer(Model):
    id: str
    project_id: Annotated[str, Field(description="Project id")]
    version: Annotated[
        int,
        Field(
            description="One more than the highest version of the project so far; the number of a discarded draft may be used again"
        ),
    ]
    status: Literal["draft", "committed"] | str
    entries: Annotated[int, Field(description="Wallets on it")]
    hash: Annotated[str | None, Field(description="SHA-256 of the bytes behind `url`; null while it is a draft")]
    in_force: Annotated[bool, Field(description="The last `list` action on the ledger names this version")]
    anchors: Annotated[
        list[CommitOwnAllowlistAnswerAnchor], Field(description="Actions that have put it in force, in ledger order")
    ]
    url: Annotated[str | None, Field(description="The published entries as JSON Lines; null while it is a draft")]
    committed_at: AwareDatetime | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    pending_action: CommitOwnAllowlistAnswerPendingAction | None


class CommitOwnAllowlistBody(Model):
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class AddOwnAllowlistEntriesAnswer(Model):
    added: Annotated[int, Field(description="Wallets that are new on the draft")]
    changed: Annotated[int, Field(description="Wallets whose cap is another now")]
    entries: Annotated[int, Field(description="Wallets on the draft")]


class AddOwnAllowlistEntriesBodyEntry(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    cap_xrp: Annotated[
        str | None,
        Field(description="What the wallet may invest in all, in XRP; null or left out: no limit of its own"),
    ] = None


class AddOwnAllowlistEntriesBody(Model):
    entries: list[AddOwnAllowlistEntriesBodyEntry]
    first_line: Annotated[
        int | None,
        Field(
            description="Line of your file on which the first entry stands: faults then name lines, also in later parts"
        ),
    ] = None
    reason: Annotated[str | None, Field(description="Why; stands in the audit log")] = None


class CreateOwnAllowlistFromPlatformIdsAnswer(Model):
    dry_run: bool
    wallets: Annotated[int, Field(description="Wallets that qualify")]
    min_level: str
    required_balance: Annotated[str, Field(description="What each of them held at least; 0 is any amount above zero")]
    ledger_index: Annotated[int, Field(description="Ledger of the snapshot")]
    synced_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    list: Annotated[AllowList | None, Field(description="The draft with these wallets; null in a dry run")]


class CreateOwnAllowlistFromPlatformIdsBody(Model):
    min_level: Annotated[
        str, Field(description="The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS")
    ]
    cap_xrp: Annotated[
        str | None,
        Field(description="What each wallet may invest in listed tiers; null or left out: no limit of its own"),
    ] = None
    ledger_index: Annotated[int | None, Field(description="Make it of this snapshot only, as a dry run showed it")] = (
        None
    )
    dry_run: Annotated[bool | None, Field(description="Only count")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ListOwnPaymentsAnswerGroup(Model):
    from_xrp: Annotated[str, Field(description="Of which at least so much is held")]
    below_xrp: Annotated[str | None, Field(description="And less than this; null is no bound")]
    payments: int
    held_xrp: Annotated[str, Field(description="In all")]


class ListOwnPaymentsAnswer(Model):
    payments: list[Payment]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]
    groups: Annotated[
        list[ListOwnPaymentsAnswerGroup],
        Field(
            description="All held payments that `reason`, `account` and `project_id` choose, by size, the largest first; empty with `status` all"
        ),
    ]


class ListOwnPayoutsAnswerSummaryItem(Model):
    status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled"] | str
    reason: str | None
    payouts: int
    overdue: int
    amount_xrp: Annotated[str, Field(description="Of refunds and releases")]
    oldest_due_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    oldest_age_seconds: int


class ListOwnPayoutsAnswer(Model):
    payouts: list[Payout]
    summary: Annotated[
        list[ListOwnPayoutsAnswerSummaryItem],
        Field(description="Everything that the filters let through, not this page alone; the most first"),
    ]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ListSessionsAnswerSession(Model):
    id: Annotated[str, Field(description="Identifier of the session")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    current: Annotated[bool, Field(description="The session that asks")]


class ListSessionsAnswer(Model):
    sessions: list[ListSessionsAnswerSession]


class SignInAnswerTenant(Model):
    id: Annotated[str, Field(description="Identifier of the tenant")]
    wallet_address: Annotated[str, Field(description="The wallet that the tenant is of; it always stays an owner")]


class SignInAnswer(Model):
    session_token: Annotated[
        str,
        Field(
            description="Send it as `Authorization: Bearer` to the operations under /api/owner; it opens nothing else"
        ),
    ]
    session_id: Annotated[str, Field(description="Identifier of the session")]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    tenant: SignInAnswerTenant
    member: Member


class SignInBodyProof(Model):
    challenge_id: Annotated[str, Field(description="`id` of the challenge")]
    public_key: Annotated[
        str, Field(description="Public key that signed: the wallet’s master key or its current regular key")
    ]
    signature: Annotated[str, Field(description="Signature over the UTF-8 bytes of the challenge’s `message`")]


class SignInBody(Model):
    proof: Annotated[
        SignInBodyProof,
        Field(description="Shows that a wallet’s key signed a challenge. A challenge is good for one try."),
    ]
    tenant_id: Annotated[
        str | None,
        Field(
            description="A tenant that the wallet is a member of; left out, the wallet’s own, made with its first sign-in"
        ),
    ] = None
    invitation_id: Annotated[
        str | None,
        Field(description="An invitation of the wallet: signing in with it accepts it, and signs in to its tenant"),
    ] = None


class ListOwnWebhooksRowSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListOwnWebhooksRow(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        ListOwnWebhooksRowSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListOwnWebhooksAnswer(Model):
    webhooks: list[ListOwnWebhooksRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class ListOwnDeliveriesRow(Model):
    id: Annotated[str, Field(description="Identifier of the delivery")]
    event_id: Annotated[str, Field(description="Identifier of the event")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    status: Annotated[
        Literal["pending", "retrying", "success", "failed", "cancelled"] | str,
        Field(description="Where the delivery stands"),
    ]
    cancelled_reason: Annotated[
        Literal[
            "webhook_paused",
            "webhook_disabled",
            "webhook_deleted",
            "backlog_full",
            "replay_cancelled",
            "event_pruned",
            "event_erased",
        ]
        | str
        | None,
        Field(
            description="Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status"
        ),
    ]
    response_code: Annotated[int | None, Field(description="HTTP status of the newest answer; null where none came")]
    delivered_at: AwareDatetime | None
    duration_ms: Annotated[int | None, Field(description="Duration of the newest attempt, milliseconds")]
    attempts: Annotated[int, Field(description="Attempts made, of at most seven")]
    resend_of: Annotated[
        str | None,
        Field(description="The first delivery of the same event, which this one repeats; null for that one itself"),
    ]
    replay_id: Annotated[str | None, Field(description="The replay that made it, if one did")]
    pruned: Annotated[
        bool,
        Field(
            description="The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListOwnDeliveriesAnswer(Model):
    deliveries: list[ListOwnDeliveriesRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class GeneratePlatformIdAnswer(Model):
    platform_id: Annotated[str, Field(description="Platform ID of the wallet; its last character is a check")]
    wallet_address: Annotated[str, Field(description="Ledger account address, in its classic form")]
    display_name: Annotated[str | None, Field(description="Set by a proof of the wallet")]
    level: str | None
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GeneratePlatformIdBodyProof(Model):
    challenge_id: Annotated[str, Field(description="`id` of the challenge")]
    public_key: Annotated[
        str, Field(description="Public key that signed: the wallet’s master key or its current regular key")
    ]
    signature: Annotated[str, Field(description="Signature over the UTF-8 bytes of the challenge’s `message`")]


class GeneratePlatformIdBody(Model):
    wallet_address: Annotated[
        str, Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit")
    ]
    display_name: Annotated[str | None, Field(description="Name to be shown by; asks for a `proof` of the wallet")] = (
        None
    )
    proof: Annotated[
        GeneratePlatformIdBodyProof | None,
        Field(
            description="Of a challenge for `set_display_name` (POST /api/api-keys/challenge); goes with `display_name`"
        ),
    ] = None


class GetPlatformIdProfileAnswerBadge(Model):
    name: Literal["early_investor", "investor", "multi_project_investor", "top_100_holder", "one_year_member"] | str
    earned_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetPlatformIdProfileAnswerInvestments(Model):
    count: Annotated[int, Field(description="Confirmed investments")]
    projects: Annotated[int, Field(description="Projects that they are in")]
    total_xrp: Annotated[str, Field(description="XRP allocated by them")]
    first_at: AwareDatetime | None
    last_at: AwareDatetime | None


class GetPlatformIdProfileAnswer(Model):
    wallet_address: Annotated[str, Field(description="Ledger account address, in its classic form")]
    platform_id: Annotated[str, Field(description="Platform ID of the wallet; its last character is a check")]
    display_name: Annotated[str | None, Field(description="Set by a proof of the wallet")]
    level: str | None
    holdings: Annotated[str | None, Field(description="What the wallet holds; null when no snapshot counts it")]
    share: Annotated[float | None, Field(description="Part of what all holders have, 0 to 1, to six decimals")]
    rank: Annotated[int | None, Field(description="1 for the largest holder; null for a wallet without tokens")]
    badges: Annotated[
        list[GetPlatformIdProfileAnswerBadge], Field(description="From facts only: docs/platform-id.md says which")
    ]
    investments: Annotated[
        GetPlatformIdProfileAnswerInvestments,
        Field(description="Over all projects; times are close times of the payments’ ledgers"),
    ]
    ledger_index: int | None
    synced_at: AwareDatetime | None
    created_at: Annotated[AwareDatetime, Field(description="When the Platform ID was given")]


class GetPlatformIdStatusAnswer(Model):
    wallet_address: Annotated[str, Field(description="Ledger account address, in its classic form")]
    has_platform_id: Annotated[bool, Field(description="Given once, it stays, whatever becomes of the balance")]
    platform_id: str | None
    eligible: Annotated[bool, Field(description="By the last snapshot of the holders of the platform token")]
    reason: Annotated[
        Literal["no_platform_token", "no_snapshot", "excluded_account", "no_balance", "balance_too_low"] | str | None,
        Field(description="Why it is not eligible"),
    ]
    explanation: Annotated[str | None, Field(description="The same in a sentence")]
    next_step: Annotated[str | None, Field(description="The next step towards a Platform ID; null when there is one")]
    required_balance: Annotated[str | None, Field(description="What to hold; null: any amount above zero")]
    balance: Annotated[str | None, Field(description="What the wallet held; null when no snapshot counts it")]
    level: str | None
    ledger_index: int | None
    synced_at: AwareDatetime | None


class ListPortalLinksRow(Model):
    id: Annotated[str, Field(description="Identifier of the link")]
    key_id: Annotated[str, Field(description="The API key that made it, and with which it ends")]
    read_only: Annotated[bool, Field(description="It changes nothing")]
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ]
    frame_origins: Annotated[
        list[str],
        Field(
            description="Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    opens_until: Annotated[AwareDatetime, Field(description="It can be opened once, before this time")]
    opened_at: Annotated[AwareDatetime | None, Field(description="When it was opened; null until then")]
    expires_at: Annotated[AwareDatetime, Field(description="When what it opened ends")]
    ended_at: Annotated[AwareDatetime | None, Field(description="When it was ended before its time; null otherwise")]


class ListPortalLinksAnswer(Model):
    portal_links: list[ListPortalLinksRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class CreatePortalLinkAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the link")]
    key_id: Annotated[str, Field(description="The API key that made it, and with which it ends")]
    read_only: Annotated[bool, Field(description="It changes nothing")]
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ]
    frame_origins: Annotated[
        list[str],
        Field(
            description="Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    opens_until: Annotated[AwareDatetime, Field(description="It can be opened once, before this time")]
    opened_at: Annotated[AwareDatetime | None, Field(description="When it was opened; null until then")]
    expires_at: Annotated[AwareDatetime, Field(description="When what it opened ends")]
    ended_at: Annotated[AwareDatetime | None, Field(description="When it was ended before its time; null otherwise")]
    url: Annotated[
        str, Field(description="The link. It is a secret until it is opened: only its first visitor gets in")
    ]


class CreatePortalLinkBody(Model):
    read_only: Annotated[bool | None, Field(description="The visitor sees webhooks and changes nothing")] = None
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ] = None
    expires_in_seconds: Annotated[int | None, Field(description="Seconds from now until what the link opened ends")] = (
        None
    )
    frame_origins: Annotated[
        list[str] | None,
        Field(
            description="Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may"
        ),
    ] = None


class GetPortalLinkAnswerAuditItem(Model):
    action: Annotated[
        Literal[
            "webhook.register",
            "webhook.update",
            "webhook.delete",
            "webhook.rotate_secret",
            "webhook.commit_secret",
            "webhook.cancel_rotation",
            "webhook.test",
            "webhook.resend",
            "webhook.replay",
            "webhook.cancel_replay",
        ]
        | str,
        Field(description="What was done"),
    ]
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    request_id: Annotated[str, Field(description="Names the request")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetPortalLinkAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the link")]
    key_id: Annotated[str, Field(description="The API key that made it, and with which it ends")]
    read_only: Annotated[bool, Field(description="It changes nothing")]
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ]
    frame_origins: Annotated[
        list[str],
        Field(
            description="Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    opens_until: Annotated[AwareDatetime, Field(description="It can be opened once, before this time")]
    opened_at: Annotated[AwareDatetime | None, Field(description="When it was opened; null until then")]
    expires_at: Annotated[AwareDatetime, Field(description="When what it opened ends")]
    ended_at: Annotated[AwareDatetime | None, Field(description="When it was ended before its time; null otherwise")]
    audit: Annotated[
        list[GetPortalLinkAnswerAuditItem], Field(description="What was changed, the newest first, at most 100")
    ]


class EndPortalLinkAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the link")]
    key_id: Annotated[str, Field(description="The API key that made it, and with which it ends")]
    read_only: Annotated[bool, Field(description="It changes nothing")]
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ]
    frame_origins: Annotated[
        list[str],
        Field(
            description="Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    opens_until: Annotated[AwareDatetime, Field(description="It can be opened once, before this time")]
    opened_at: Annotated[AwareDatetime | None, Field(description="When it was opened; null until then")]
    expires_at: Annotated[AwareDatetime, Field(description="When what it opened ends")]
    ended_at: Annotated[AwareDatetime | None, Field(description="When it was ended before its time; null otherwise")]


class OpenPortalLinkAnswer(Model):
    session_token: Annotated[
        str,
        Field(
            description="Send it as `Authorization: Bearer` with the webhook operations that take it; it opens nothing else"
        ),
    ]
    expires_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    read_only: bool
    project_id: Annotated[
        str | None,
        Field(description="Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant"),
    ]
    wallet_address: Annotated[str, Field(description="The wallet that the key is of")]
    key_prefix: Annotated[str, Field(description="First characters of the key")]


class OpenPortalLinkBody(Model):
    link_token: Annotated[str, Field(description="The part of the link after the number sign")]


class ListProjectsAnswer(Model):
    projects: list[Project]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class SaleException1(Model):
    kind: Literal["assign"]
    action_hash: Annotated[str, Field(description="The `assign` action: anyone can check it on the ledger")]
    ledger_index: int
    transaction_index: int
    payment_hash: str
    investor_account: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    payment_ledger_index: int
    investment_id: str
    assigned_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class SaleException2(Model):
    kind: Annotated[
        Literal["late_discovery"], Field(description="Discovered in a ledger that was already decided: it is held")
    ]
    ledger_index: int
    transaction_index: int
    payment_hash: str
    investor_account: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]


class SaleException3(Model):
    kind: Annotated[
        Literal["late_action"], Field(description="Discovered in a ledger that was already decided: it has no effect")
    ]
    ledger_index: int
    transaction_index: int
    action_hash: str
    action: str


class SaleException4(Model):
    kind: Annotated[Literal["refund"], Field(description="An operator refunded the held amount of a payment")]
    ledger_index: int
    transaction_index: int
    payment_hash: str
    investor_account: str
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    payout_id: str


class GetRaisedHistoryAnswerPoint(Model):
    at: Annotated[AwareDatetime, Field(description="Close time of the last ledger of the step")]
    raised_xrp: Annotated[str, Field(description="Invested up to then, refunds of a cancelled sale included")]
    investments: Annotated[int, Field(description="Confirmed investments up to then")]


class GetRaisedHistoryAnswer(Model):
    project_id: Annotated[str, Field(description="Project id")]
    points: Annotated[
        list[GetRaisedHistoryAnswerPoint],
        Field(
            description="Equal steps from the first payment to the last; one in which nobody paid is left out. From 10,000 investors on they are up to a minute old"
        ),
    ]


class ListProjectInvestmentsAnswer(Model):
    investments: list[Investment]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class ListAllowlistsAnswer(Model):
    lists: list[AllowList]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]


class QuoteInvestmentAnswerCredential(Model):
    tier: int
    type: Annotated[str | None, Field(description="The type as text; null when it is no plain text")]
    credential_type: str
    issuers: list[str]
    status: Annotated[
        Literal["valid", "none", "not_accepted", "expired"] | str,
        Field(
            description="What the wallet has in ledger `ledger_index`: `valid`, `none`, `not_accepted` (it was issued; CredentialAccept accepts it) or `expired`; of several issuers the best"
        ),
    ]
    issuer: Annotated[str | None, Field(description="Who issued what the wallet has")]
    expires_at: AwareDatetime | None


class QuoteInvestmentAnswerLimits(Model):
    remaining_xrp: str | None
    remaining_listed_xrp: str | None


class QuoteInvestmentAnswerAllocationItem(Model):
    tier: int
    price_per_token: Annotated[str, Field(description="XRP for one token, a decimal string")]
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]


class QuoteInvestmentAnswer(Model):
    project_id: Annotated[str, Field(description="Project id")]
    wallet_address: str | None
    amount_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    ledger_index: Annotated[int, Field(description="Every payment up to this ledger is counted")]
    accepted: bool
    halted: Annotated[
        bool,
        Field(
            description="The deposit account is halted: what is paid now is decided once it is resumed, by its ledger position"
        ),
    ]
    reason: Annotated[str | None, Field(description="Why it would be refused, or why a part would be refunded")]
    admission: Annotated[
        Literal["not_required", "admitted", "not_admitted", "assumed"] | str,
        Field(
            description="Whether the wallet is on the list in force and holds the credentials, where unsold tiers ask for them; `assumed` without a wallet, and where a credential decides while the sale is not active or its account is halted"
        ),
    ]
    credentials: Annotated[
        list[QuoteInvestmentAnswerCredential],
        Field(
            description="The credential of each unsold tier that requires one; empty without a wallet, and while the sale is not active or its account is halted"
        ),
    ]
    limits: Annotated[
        QuoteInvestmentAnswerLimits,
        Field(
            description="What the wallet may still invest in total, and in tiers with an allowlist; null for no limit"
        ),
    ]
    allocation: list[QuoteInvestmentAnswerAllocationItem]
    total_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    invested_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    rounding_xrp: Annotated[str, Field(description="Change too small to refund; included in the last part")]
    refunded_xrp: Annotated[str, Field(description="XRP, a decimal string with exactly six fractional digits")]
    held_xrp: Annotated[str, Field(description="A refused payment too small to refund")]


class GetTermsAnswerAnchor(Model):
    transaction_hash: str
    ledger_index: int


class GetTermsAnswer(Model):
    project_id: Annotated[str, Field(description="Project id")]
    canonical: Annotated[str, Field(description="RFC 8785 JSON; its UTF-8 bytes are what the hash is of")]
    sha256: str
    anchor: GetTermsAnswerAnchor | None


class GetProjectTokenAnswerToken(Model):
    kind: Literal["iou"]
    currency: str
    issuer: str
    ledger_index: Annotated[int, Field(description="Newest validated ledger when this was read")]
    issuer_black_holed: Annotated[bool, Field(description="Nobody can sign for the issuer any more: it can do nothing")]
    can_mint: bool
    can_freeze: Annotated[bool, Field(description="One holder, or all at once")]
    global_freeze: Annotated[bool, Field(description="All holders are frozen now")]
    can_claw_back: bool
    requires_authorization: Annotated[bool, Field(description="Nobody holds the token without the issuer’s consent")]
    transfer_fee_percent: Annotated[float, Field(description="Of each transfer between holders, in percent")]
    can_charge_transfer_fee: bool
    default_ripple: Annotated[bool, Field(description="Holders can pass the token on to each other")]


class GetProjectTokenAnswerToken1(Model):
    kind: Literal["mpt"]
    issuance_id: str
    issuer: str
    ledger_index: Annotated[int, Field(description="Newest validated ledger when this was read")]
    issuer_black_holed: Annotated[bool, Field(description="Nobody can sign for the issuer any more: it can do nothing")]
    can_mint: bool
    outstanding_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    maximum_tokens: Annotated[str, Field(description="Tokens, a decimal string with exactly six fractional digits")]
    can_lock: Annotated[bool, Field(description="One holder, or all at once")]
    locked: Annotated[bool, Field(description="All holders are locked now")]
    can_claw_back: bool
    requires_authorization: Annotated[bool, Field(description="Nobody holds the token without the issuer’s consent")]
    transfer_fee_percent: Annotated[float, Field(description="Of each transfer between holders, in percent")]
    can_transfer: Annotated[bool, Field(description="Holders can pass the token on to each other")]
    can_trade: bool
    can_escrow: bool
    declared_immutable: Annotated[
        list[
            Literal[
                "can_lock",
                "requires_authorization",
                "can_escrow",
                "can_trade",
                "can_transfer",
                "can_claw_back",
                "transfer_fee",
            ]
            | str
        ],
        Field(
            description="What the issuer has given up changing. On a ledger with the amendment DynamicMPT, whatever is not listed may still be switched on"
        ),
    ]


class GetProjectTokenAnswer(Model):
    project_id: Annotated[str, Field(description="Project id")]
    token: GetProjectTokenAnswerToken | GetProjectTokenAnswerToken1


class GetVerificationAnswerDepositAccount(Model):
    address: str
    network_id: int
    registered_ledger: Annotated[int, Field(description="The feed starts after this ledger")]
    confirmed_ledger: Annotated[int, Field(description="The last one that `as_of` may name")]
    refund_min_xrp: Annotated[str, Field(description="Smallest refund of a payment that belongs to no project")]


class GetVerificationAnswerAnchorsLaunch(Model):
    transaction_hash: str
    ledger_index: int
    terms_hash: str


class GetVerificationAnswerAnchorsList(Model):
    transaction_hash: str
    ledger_index: int
    list_id: str
    list_hash: str
    applied_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetVerificationAnswerAnchors(Model):
    launch: GetVerificationAnswerAnchorsLaunch | None
    lists: list[GetVerificationAnswerAnchorsList]


class GetVerificationAnswerLastRun(Model):
    id: str
    as_of_ledger: int
    verdict: Annotated[
        Literal["agrees", "differs", "unchecked"] | str,
        Field(description="`unchecked`: nothing differs, and not everything could be checked"),
    ]
    payments: int
    payouts: int
    differences: int
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    report: VerificationReport


class GetVerificationAnswer(Model):
    project_id: Annotated[str, Field(description="Project id")]
    deposit_account: GetVerificationAnswerDepositAccount
    anchors: GetVerificationAnswerAnchors
    command: Annotated[str, Field(description="Verifies the sale from anywhere; it needs no secret")]
    running: Annotated[bool, Field(description="A run of the platform’s own is under way")]
    last_run: GetVerificationAnswerLastRun | None


class ContinueJobAnswer(Model):
    job: str
    continued: bool


class ContinueJobBody(Model):
    job: str
    run: Annotated[str | None, Field(description="Of a job whose runs take several slices: the run to go on with")] = (
        None
    )
    slice: Annotated[str | int | None, Field(description="The slice before it")] = None
    cursor: Annotated[Any | None, Field(description="Where that one stopped; what it is, the job says")] = None


class AttemptDeliveryAnswer(Model):
    outcome: Literal["success", "failed", "retrying", "cancelled", "not_claimed", "postponed"] | str


class AttemptDeliveryBody(Model):
    delivery_id: Annotated[str, Field(description="Identifier of the delivery")]
    attempt: Annotated[int, Field(description="Number of the attempt")]
    republished: Annotated[
        int | None, Field(description="How many callbacks of this attempt were published before this one")
    ] = None


class IssueTokensAnswerOutcomes(Model):
    submitted: Annotated[
        int, Field(description="Submitted by this call, or at the same time by another; in a dry run, would be")
    ]
    validated: Annotated[int, Field(description="Submitted and already paid")]
    queued: Annotated[
        int,
        Field(
            description="Payable, and paid by the next runs: tickets, the hour or the time of this call did not reach"
        ),
    ]
    waiting: Annotated[int, Field(description="Cannot be paid now: its reason says why")]
    held: Annotated[int, Field(description="Waits for a person: its reason says why")]
    stopped: Annotated[int, Field(description="Its sale is cancelled, or an account is halted")]
    under_way: Annotated[int, Field(description="Was submitted before this call")]
    already_paid: Annotated[int, Field(description="Was paid before this call; never paid again")]
    not_due: Annotated[int, Field(description="Not due: a later vesting part, or the sale has not ended")]
    cancelled: Annotated[int, Field(description="Refunded in XRP")]
    nothing_owed: Annotated[int, Field(description="The investment is not confirmed")]


class IssueTokensAnswerRefusal(Model):
    investment_id: str
    payout_id: Annotated[str | None, Field(description="Null when the investment has no payout")]
    part: int | None
    due_at: AwareDatetime | None
    outcome: (
        Literal[
            "submitted",
            "validated",
            "queued",
            "waiting",
            "held",
            "stopped",
            "under_way",
            "already_paid",
            "not_due",
            "cancelled",
            "nothing_owed",
        ]
        | str
    )
    reason: str


class IssueTokensAnswer(Model):
    dry_run: bool
    selected: Annotated[int, Field(description="Due and unpaid, within the limit: what this call tried")]
    beyond_limit: Annotated[int, Field(description="Due and unpaid beyond the limit: call again")]
    outcomes: IssueTokensAnswerOutcomes
    refusals: Annotated[
        list[IssueTokensAnswerRefusal],
        Field(description="What was tried and not paid; of investments asked for by id, also why nothing was tried"),
    ]
    continued: Annotated[bool, Field(description="The next run of process-payments goes on with it")]
    duration_ms: int


class IssueTokensBody1(Model):
    project_id: str
    investment_ids: list[str] | None = None
    limit: Annotated[int | None, Field(description="Payouts tried by this call at most, those due longest first")] = (
        None
    )
    dry_run: Annotated[bool | None, Field(description="Dry run: report what would be done and change nothing")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class IssueTokensBody2(Model):
    project_id: str | None = None
    investment_ids: list[str]
    limit: Annotated[int | None, Field(description="Payouts tried by this call at most, those due longest first")] = (
        None
    )
    dry_run: Annotated[bool | None, Field(description="Dry run: report what would be done and change nothing")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class IssueTokensBody(RootModel[IssueTokensBody1 | IssueTokensBody2]):
    root: IssueTokensBody1 | IssueTokensBody2


class ProcessTransactionsAnswerTransactionDifference(Model):
    field: str
    recorded: str | int | None
    ledger: str | int | None


class ProcessTransactionsAnswerTransaction(Model):
    transaction_hash: str
    outcome: Literal["known", "recorded", "ahead", "differs", "not_ours", "not_found"] | str
    account: str | None
    kind: Literal["payment", "action", "change"] | str | None
    ledger_index: int | None
    transaction_index: int | None
    change_xrp: Annotated[str | None, Field(description="What it did to the account’s XRP")]
    late_discovery: Annotated[bool, Field(description="Discovered late: a payment is held, an action has no effect")]
    differences: list[ProcessTransactionsAnswerTransactionDifference]


class ProcessTransactionsAnswer(Model):
    dry_run: bool
    from_ledger: int | None
    through_ledger: Annotated[int | None, Field(description="Last ledger read whole; null for single transactions")]
    next_from_ledger: Annotated[
        int | None, Field(description="Where to go on when the range held too much for one call")
    ]
    found: Annotated[int, Field(description="Transactions that concern a deposit account")]
    known: int
    recorded: Annotated[int, Field(description="Were missing and are now recorded; in a dry run, would be recorded")]
    ahead: Annotated[int, Field(description="Not read yet: the feed will bring them")]
    differs: Annotated[int, Field(description="Recorded differently from the ledger; never overwritten")]
    not_ours: Annotated[int, Field(description="Validated, and of no deposit account")]
    not_found: Annotated[
        int, Field(description="In no validated ledger since the first deposit account was registered")
    ]
    transactions: Annotated[
        list[ProcessTransactionsAnswerTransaction],
        Field(description="Each one asked for; of a range, the first 500 that are not known"),
    ]


class ProcessTransactionsBody1(Model):
    transaction_hashes: list[str]
    account: Annotated[str | None, Field(description="Only this deposit account; every one when left out")] = None
    dry_run: Annotated[bool | None, Field(description="Dry run: report what would be done and change nothing")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ProcessTransactionsBody2(Model):
    from_ledger: int
    to_ledger: int
    account: Annotated[str | None, Field(description="Only this deposit account; every one when left out")] = None
    dry_run: Annotated[bool | None, Field(description="Dry run: report what would be done and change nothing")] = None
    reason: Annotated[str, Field(description="Why; stands in the audit log")]


class ProcessTransactionsBody(RootModel[ProcessTransactionsBody1 | ProcessTransactionsBody2]):
    root: ProcessTransactionsBody1 | ProcessTransactionsBody2


class TrustlineMonitorAnswerAccountFlags(Model):
    require_destination_tag: bool
    deposit_authorization: bool
    master_key_disabled: bool
    default_ripple: bool
    global_freeze: bool
    no_freeze: bool


class TrustlineMonitorAnswerAccountToken(Model):
    kind: Literal["iou", "mpt"] | str
    currency: str | None
    issuer: str | None
    issuance_id: str | None
    held: Annotated[
        str | None, Field(description="What the distributor can give out; null when it issues without a limit")
    ]
    owed: Annotated[str, Field(description="Over all its sales: payouts not validated, and what is not sold yet")]
    transfer_fee: bool
    frozen: Annotated[bool, Field(description="Frozen or locked for all holders")]


class TrustlineMonitorAnswerAccountFinding(Model):
    code: (
        Literal[
            "account_missing",
            "unreadable",
            "key_missing",
            "key_unfit",
            "deposit_authorization",
            "destination_tag_optional",
            "xrp_short",
            "xrp_low",
            "issuer_missing",
            "default_ripple_off",
            "issuer_frozen",
            "transfer_fee",
            "not_transferable",
            "payer_not_opted_in",
            "payer_unauthorised",
            "payer_frozen",
            "tokens_short",
            "issuer_can_freeze",
            "issuer_can_claw_back",
        ]
        | str
    )
    severity: Annotated[
        Literal["info", "warning", "critical"] | str,
        Field(description="critical: payouts or payments fail now; warning: they will; info: worth knowing"),
    ]
    token: Annotated[
        str | None, Field(description="currency.issuer or MPT issuance id; null when it concerns the account itself")
    ]
    message: Annotated[str, Field(description="What was found, and what to do next")]


class TrustlineMonitorAnswerAccount(Model):
    address: str
    roles: list[Literal["deposit", "distributor"] | str]
    healthy: Annotated[bool, Field(description="No finding above info")]
    exists: Annotated[bool | None, Field(description="Null when the ledger’s answer could not be read")]
    flags: TrustlineMonitorAnswerAccountFlags | None
    regular_key: str | None
    balance_xrp: str | None
    reserve_xrp: str | None
    spendable_xrp: Annotated[str | None, Field(description="Beyond the reserve and a float for fees")]
    liabilities_xrp: Annotated[str, Field(description="Refunds and releases to be paid, held amounts included")]
    needed_xrp: Annotated[
        str | None, Field(description="liabilities_xrp with fees, tickets and escrows of all outstanding payouts")
    ]
    outstanding_payouts: int
    tickets: int | None
    tokens: list[TrustlineMonitorAnswerAccountToken]
    findings: list[TrustlineMonitorAnswerAccountFinding]


class TrustlineMonitorAnswer(Model):
    checked: Annotated[int, Field(description="Distributions that waited and were looked at")]
    ready: Annotated[int, Field(description="Payable now, and on their way")]
    missing: Annotated[int, Field(description="No trust line, no opt-in to the MPT, or no account any more")]
    limit_too_low: int
    frozen: Annotated[int, Field(description="The line is frozen, or the MPT locked, for this holder or for all")]
    unauthorised: int
    other: Annotated[
        int,
        Field(description="The holder’s account refuses it, or the paying account must be seen to: its row says why"),
    ]
    continued: Annotated[
        bool, Field(description="Time budget used up: the counts are of this slice, and the next slice continues")
    ]
    accounts: list[TrustlineMonitorAnswerAccount]
    duration_ms: int


class ListWebhooksRowSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListWebhooksRow(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        ListWebhooksRowSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListWebhooksAnswer(Model):
    webhooks: list[ListWebhooksRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class GetWebhookAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetWebhookAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        GetWebhookAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class UpdateWebhookAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class UpdateWebhookAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        UpdateWebhookAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class UpdateWebhookBody(Model):
    url: Annotated[str | None, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")] = (
        None
    )
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
        ]
        | None,
        Field(
            description="Event types to receive; all when left out. `system.alert` is for administrators’ webhooks only"
        ),
    ] = None
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ] = None
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ] = None
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"]] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ] = None
    active: Annotated[bool | None, Field(description="Events are sent while true")] = None
    description: Annotated[str | None, Field(description="Free text of your own")] = None
    headers: Annotated[
        dict[str, str] | None,
        Field(
            description="Headers that are sent with every attempt, at most 16, for example for a gateway before your receiver. The values are never shown again. On a change they replace all that were set; `{}` removes them"
        ),
    ] = None
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ] = None


class DeleteWebhookAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    deleted_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListEventTypesAnswerEventTypeExample(Model):
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    event_id: str
    timestamp: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    api_version: str
    data: dict[str, Any]


class ListEventTypesAnswerEventType(Model):
    type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    category: Literal["investment", "project", "system"] | str
    description: str
    recipients: Annotated[
        Literal["everyone", "owner", "administrators"] | str,
        Field(
            description="Whose webhooks receive it: of everyone, of the owner of what it is about, or of administrators only"
        ),
    ]
    example: Annotated[ListEventTypesAnswerEventTypeExample, Field(description="A whole event as it is sent")]


class ListEventTypesAnswer(Model):
    event_types: list[ListEventTypesAnswerEventType]


class RegisterWebhookAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class RegisterWebhookAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        RegisterWebhookAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    secret: Annotated[str, Field(description="Signing secret (whsec_…); store it now, it is never shown again")]


class RegisterWebhookBody(Model):
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
        ]
        | None,
        Field(
            description="Event types to receive; all when left out. `system.alert` is for administrators’ webhooks only"
        ),
    ] = None
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ] = None
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ] = None
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"]] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ] = None
    active: Annotated[bool | None, Field(description="Events are sent while true")] = None
    description: Annotated[str | None, Field(description="Free text of your own")] = None
    headers: Annotated[
        dict[str, str] | None,
        Field(
            description="Headers that are sent with every attempt, at most 16, for example for a gateway before your receiver. The values are never shown again. On a change they replace all that were set; `{}` removes them"
        ),
    ] = None
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ] = None


class ListDeliveriesRow(Model):
    id: Annotated[str, Field(description="Identifier of the delivery")]
    event_id: Annotated[str, Field(description="Identifier of the event")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    status: Annotated[
        Literal["pending", "retrying", "success", "failed", "cancelled"] | str,
        Field(description="Where the delivery stands"),
    ]
    cancelled_reason: Annotated[
        Literal[
            "webhook_paused",
            "webhook_disabled",
            "webhook_deleted",
            "backlog_full",
            "replay_cancelled",
            "event_pruned",
            "event_erased",
        ]
        | str
        | None,
        Field(
            description="Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status"
        ),
    ]
    response_code: Annotated[int | None, Field(description="HTTP status of the newest answer; null where none came")]
    delivered_at: AwareDatetime | None
    duration_ms: Annotated[int | None, Field(description="Duration of the newest attempt, milliseconds")]
    attempts: Annotated[int, Field(description="Attempts made, of at most seven")]
    resend_of: Annotated[
        str | None,
        Field(description="The first delivery of the same event, which this one repeats; null for that one itself"),
    ]
    replay_id: Annotated[str | None, Field(description="The replay that made it, if one did")]
    pruned: Annotated[
        bool,
        Field(
            description="The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListDeliveriesAnswer(Model):
    deliveries: list[ListDeliveriesRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class GetDeliveryAnswerRequest(Model):
    method: Literal["POST"]
    url: str | None
    headers: dict[str, str] | None
    body: Annotated[str | None, Field(description="The signed bytes, the same on every attempt; null once pruned")]


class GetDeliveryAnswerAttemptLogItem(Model):
    number: int
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    url: Annotated[str | None, Field(description="Where it was sent: the URL of the webhook at that time")]
    request_headers: Annotated[
        dict[str, str] | None, Field(description="Names in lower case; null while it is under way")
    ]
    response_code: Annotated[int | None, Field(description="Null where no status line came")]
    response_headers: dict[str, str] | None
    response_body: Annotated[str | None, Field(description="The first 2 KiB")]
    error_kind: Annotated[
        Literal["dns", "refused", "tls", "timeout", "policy", "status", "interrupted", "network"] | str | None,
        Field(description="Why it failed; null after a success, and while it is under way"),
    ]
    duration_ms: Annotated[int | None, Field(description="Milliseconds; null while it is under way or interrupted")]
    retry_after: Annotated[
        str | None, Field(description="What the receiver asked for; it does not change the schedule")
    ]


class GetDeliveryAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the delivery")]
    event_id: Annotated[str, Field(description="Identifier of the event")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    status: Annotated[
        Literal["pending", "retrying", "success", "failed", "cancelled"] | str,
        Field(description="Where the delivery stands"),
    ]
    cancelled_reason: Annotated[
        Literal[
            "webhook_paused",
            "webhook_disabled",
            "webhook_deleted",
            "backlog_full",
            "replay_cancelled",
            "event_pruned",
            "event_erased",
        ]
        | str
        | None,
        Field(
            description="Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status"
        ),
    ]
    response_code: Annotated[int | None, Field(description="HTTP status of the newest answer; null where none came")]
    delivered_at: AwareDatetime | None
    duration_ms: Annotated[int | None, Field(description="Duration of the newest attempt, milliseconds")]
    attempts: Annotated[int, Field(description="Attempts made, of at most seven")]
    resend_of: Annotated[
        str | None,
        Field(description="The first delivery of the same event, which this one repeats; null for that one itself"),
    ]
    replay_id: Annotated[str | None, Field(description="The replay that made it, if one did")]
    pruned: Annotated[
        bool,
        Field(
            description="The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    request: Annotated[
        GetDeliveryAnswerRequest,
        Field(description="As sent by the newest attempt; url and headers are null before the first"),
    ]
    attempt_log: Annotated[
        list[GetDeliveryAnswerAttemptLogItem], Field(description="Every attempt, the oldest first; none once pruned")
    ]


class ResendDeliveryAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the delivery")]
    event_id: Annotated[str, Field(description="Identifier of the event")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    status: Annotated[
        Literal["pending", "retrying", "success", "failed", "cancelled"] | str,
        Field(description="Where the delivery stands"),
    ]
    cancelled_reason: Annotated[
        Literal[
            "webhook_paused",
            "webhook_disabled",
            "webhook_deleted",
            "backlog_full",
            "replay_cancelled",
            "event_pruned",
            "event_erased",
        ]
        | str
        | None,
        Field(
            description="Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status"
        ),
    ]
    response_code: Annotated[int | None, Field(description="HTTP status of the newest answer; null where none came")]
    delivered_at: AwareDatetime | None
    duration_ms: Annotated[int | None, Field(description="Duration of the newest attempt, milliseconds")]
    attempts: Annotated[int, Field(description="Attempts made, of at most seven")]
    resend_of: Annotated[
        str | None,
        Field(description="The first delivery of the same event, which this one repeats; null for that one itself"),
    ]
    replay_id: Annotated[str | None, Field(description="The replay that made it, if one did")]
    pruned: Annotated[
        bool,
        Field(
            description="The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class ListReplaysRow(Model):
    id: Annotated[str, Field(description="Identifier of the replay")]
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    from_: Annotated[AwareDatetime, Field(alias="from", description="ISO 8601 UTC")]
    to: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    selection: Annotated[
        Literal["failed", "all"] | str,
        Field(
            description="failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it"
        ),
    ]
    event_types: Annotated[list[str] | None, Field(description="Null: every type that the webhook subscribes to")]
    status: Annotated[
        Literal["running", "finished", "cancelled"] | str,
        Field(description="finished: every delivery is created; attempts continue"),
    ]
    total: Annotated[int, Field(description="Deliveries to create, counted at the start")]
    written: Annotated[int, Field(description="Of them, made so far")]
    delivered: Annotated[int, Field(description="Of those written, ended with success")]
    failed: Annotated[int, Field(description="Of those written, ended without")]
    cancelled: Annotated[int, Field(description="Of those written, cancelled")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: AwareDatetime | None


class ListReplaysAnswer(Model):
    replays: list[ListReplaysRow]
    next_cursor: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class StartReplayAnswer(Model):
    dry_run: Literal[True]
    total: Annotated[
        int,
        Field(
            description="Deliveries that the replay would make; counting ends at 100001, one more than a replay takes on"
        ),
    ]
    missed: Annotated[int, Field(description="Of them, for events that were never sent to this webhook")]
    pruned: Annotated[
        int,
        Field(description="Events that cannot be sent again: their payload was removed, not in `total`; counted alike"),
    ]


class StartReplayAnswer202(Model):
    id: Annotated[str, Field(description="Identifier of the replay")]
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    from_: Annotated[AwareDatetime, Field(alias="from", description="ISO 8601 UTC")]
    to: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    selection: Annotated[
        Literal["failed", "all"] | str,
        Field(
            description="failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it"
        ),
    ]
    event_types: Annotated[list[str] | None, Field(description="Null: every type that the webhook subscribes to")]
    status: Annotated[
        Literal["running", "finished", "cancelled"] | str,
        Field(description="finished: every delivery is created; attempts continue"),
    ]
    total: Annotated[int, Field(description="Deliveries to create, counted at the start")]
    written: Annotated[int, Field(description="Of them, made so far")]
    delivered: Annotated[int, Field(description="Of those written, ended with success")]
    failed: Annotated[int, Field(description="Of those written, ended without")]
    cancelled: Annotated[int, Field(description="Of those written, cancelled")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: AwareDatetime | None


class StartReplayBody(Model):
    from_: Annotated[AwareDatetime, Field(alias="from", description="Events of this time or later")]
    to: Annotated[AwareDatetime | None, Field(description="Events before this time; now when left out or later")] = None
    selection: Annotated[
        Literal["failed", "all"] | None,
        Field(
            description="failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it"
        ),
    ] = None
    event_types: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
        ]
        | None,
        Field(description="Only these types of event"),
    ] = None
    dry_run: Annotated[bool | None, Field(description="Only count")] = None


class GetReplayAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the replay")]
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    from_: Annotated[AwareDatetime, Field(alias="from", description="ISO 8601 UTC")]
    to: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    selection: Annotated[
        Literal["failed", "all"] | str,
        Field(
            description="failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it"
        ),
    ]
    event_types: Annotated[list[str] | None, Field(description="Null: every type that the webhook subscribes to")]
    status: Annotated[
        Literal["running", "finished", "cancelled"] | str,
        Field(description="finished: every delivery is created; attempts continue"),
    ]
    total: Annotated[int, Field(description="Deliveries to create, counted at the start")]
    written: Annotated[int, Field(description="Of them, made so far")]
    delivered: Annotated[int, Field(description="Of those written, ended with success")]
    failed: Annotated[int, Field(description="Of those written, ended without")]
    cancelled: Annotated[int, Field(description="Of those written, cancelled")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: AwareDatetime | None


class CancelReplayAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the replay")]
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    from_: Annotated[AwareDatetime, Field(alias="from", description="ISO 8601 UTC")]
    to: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    selection: Annotated[
        Literal["failed", "all"] | str,
        Field(
            description="failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it"
        ),
    ]
    event_types: Annotated[list[str] | None, Field(description="Null: every type that the webhook subscribes to")]
    status: Annotated[
        Literal["running", "finished", "cancelled"] | str,
        Field(description="finished: every delivery is created; attempts continue"),
    ]
    total: Annotated[int, Field(description="Deliveries to create, counted at the start")]
    written: Annotated[int, Field(description="Of them, made so far")]
    delivered: Annotated[int, Field(description="Of those written, ended with success")]
    failed: Annotated[int, Field(description="Of those written, ended without")]
    cancelled: Annotated[int, Field(description="Of those written, cancelled")]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ended_at: AwareDatetime | None


class RotateWebhookSecretAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class RotateWebhookSecretAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        RotateWebhookSecretAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    secret: Annotated[str, Field(description="Signing secret (whsec_…); store it now, it is never shown again")]


class CancelWebhookSecretRotationAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CancelWebhookSecretRotationAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        CancelWebhookSecretRotationAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CommitWebhookSecretRotationAnswerSecretRotation(Model):
    started_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    ends_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class CommitWebhookSecretRotationAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the webhook")]
    url: Annotated[str, Field(description="HTTPS address of the receiver, port 443 or 8443, a public host")]
    events: Annotated[
        list[
            Literal[
                "investment.created",
                "investment.confirmed",
                "investment.failed",
                "investment.tokens_distributed",
                "investment.refunded",
                "project.launched",
                "project.tier_completed",
                "project.milestone_reached",
                "project.sale_ended",
                "project.cancelled",
                "system.maintenance_start",
                "system.maintenance_end",
                "system.network_status",
                "system.webhook_disabled",
                "system.delivery_failed",
                "system.alert",
            ]
            | str
        ],
        Field(description="Event types it receives"),
    ]
    project_id: Annotated[
        str | None,
        Field(description="Events of this project only, and those of no project (`system.…`); null: of every project"),
    ]
    min_amount_xrp: Annotated[
        str | None,
        Field(
            description="Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount"
        ),
    ]
    statuses: Annotated[
        list[Literal["pending_confirmation", "confirmed", "failed", "operational", "degraded", "down"] | str] | None,
        Field(
            description="Only events whose `status` is one of these, and those without a status; null: of any status"
        ),
    ]
    active: Annotated[bool, Field(description="Events are sent while true")]
    description: Annotated[str, Field(description="Free text of your own")]
    header_names: Annotated[list[str], Field(description="Names of the `headers` that are sent with every attempt")]
    rate_limit: Annotated[
        int | None,
        Field(
            description="Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have"
        ),
    ]
    disabled_at: Annotated[
        AwareDatetime | None, Field(description="When the platform deactivated it; null once it is active again")
    ]
    disabled_reason: Annotated[
        Literal["gone", "failing"] | str | None,
        Field(description="Why: a last attempt was answered 410, or every attempt failed for five days"),
    ]
    failing_since: Annotated[
        AwareDatetime | None, Field(description="Since when every attempt has failed; null after a success")
    ]
    backlog_full: Annotated[
        bool,
        Field(
            description="True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards"
        ),
    ]
    api_version: Annotated[str, Field(description="Version of its events, pinned at registration")]
    secret_rotation: Annotated[
        CommitWebhookSecretRotationAnswerSecretRotation | None,
        Field(description="While a rotation of the secret is under way: since when, and when it commits itself"),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]
    updated_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class GetDeliveryStatisticsAnswerTotalsLatencyMs(Model):
    p50: int | None
    p95: int | None


class GetDeliveryStatisticsAnswerTotals(Model):
    success: Annotated[int, Field(description="Deliveries that arrived")]
    failed: Annotated[int, Field(description="Deliveries without an attempt left")]
    cancelled: Annotated[int, Field(description="Deliveries that were not sent, or no more")]
    unfinished: Annotated[int, Field(description="Deliveries that are pending or retrying")]
    latency_ms: Annotated[
        GetDeliveryStatisticsAnswerTotalsLatencyMs,
        Field(
            description="Milliseconds from the making of a delivery to its success, retries included; null without one"
        ),
    ]
    success_rate: Annotated[
        float | None,
        Field(description="`success` / (`success` + `failed`), rounded down to four digits; null without either"),
    ]


class GetDeliveryStatisticsAnswerSpanLatencyMs(Model):
    p50: int | None
    p95: int | None


class GetDeliveryStatisticsAnswerSpan(Model):
    from_: Annotated[AwareDatetime, Field(alias="from", description="ISO 8601 UTC")]
    success: Annotated[int, Field(description="Deliveries that arrived")]
    failed: Annotated[int, Field(description="Deliveries without an attempt left")]
    cancelled: Annotated[int, Field(description="Deliveries that were not sent, or no more")]
    unfinished: Annotated[int, Field(description="Deliveries that are pending or retrying")]
    latency_ms: Annotated[
        GetDeliveryStatisticsAnswerSpanLatencyMs,
        Field(
            description="Milliseconds from the making of a delivery to its success, retries included; null without one"
        ),
    ]


class GetDeliveryStatisticsAnswer(Model):
    period: Literal["hour", "day", "week"] | str
    from_: Annotated[AwareDatetime, Field(alias="from", description="Start of the first span")]
    to: Annotated[AwareDatetime, Field(description="End of the last span; that one is not over")]
    counted_from: Annotated[
        AwareDatetime,
        Field(
            description="Deliveries made before are not counted: `from`, or later where the period has 50,000 deliveries or more"
        ),
    ]
    totals: GetDeliveryStatisticsAnswerTotals
    spans: Annotated[
        list[GetDeliveryStatisticsAnswerSpan],
        Field(description="Equal spans of the period, the oldest first: 2 minutes, 30 minutes or 4 hours each"),
    ]


class SendTestEventAnswer(Model):
    id: Annotated[str, Field(description="Identifier of the delivery")]
    event_id: Annotated[str, Field(description="Identifier of the event")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ]
        | str,
        Field(description="Type of the event"),
    ]
    status: Annotated[
        Literal["pending", "retrying", "success", "failed", "cancelled"] | str,
        Field(description="Where the delivery stands"),
    ]
    cancelled_reason: Annotated[
        Literal[
            "webhook_paused",
            "webhook_disabled",
            "webhook_deleted",
            "backlog_full",
            "replay_cancelled",
            "event_pruned",
            "event_erased",
        ]
        | str
        | None,
        Field(
            description="Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status"
        ),
    ]
    response_code: Annotated[int | None, Field(description="HTTP status of the newest answer; null where none came")]
    delivered_at: AwareDatetime | None
    duration_ms: Annotated[int | None, Field(description="Duration of the newest attempt, milliseconds")]
    attempts: Annotated[int, Field(description="Attempts made, of at most seven")]
    resend_of: Annotated[
        str | None,
        Field(description="The first delivery of the same event, which this one repeats; null for that one itself"),
    ]
    replay_id: Annotated[str | None, Field(description="The replay that made it, if one did")]
    pruned: Annotated[
        bool,
        Field(
            description="The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again"
        ),
    ]
    created_at: Annotated[AwareDatetime, Field(description="ISO 8601 UTC")]


class SendTestEventBodyTestData(Model):
    model_config = ConfigDict(
        extra="allow",
    )
    __annotations__ = {
        "__pydantic_extra__": Dict[str, Any],
    }
    amount_xrp: Annotated[str | None, Field(description="XRP, a decimal string with up to six fractional digits")] = (
        None
    )
    investor_account: Annotated[
        str | None,
        Field(description="Ledger account address (r…), or its X-address without a tag; the checksum must fit"),
    ] = None


class SendTestEventBody(Model):
    webhook_id: Annotated[str, Field(description="Identifier of the webhook")]
    event_type: Annotated[
        Literal[
            "investment.created",
            "investment.confirmed",
            "investment.failed",
            "investment.tokens_distributed",
            "investment.refunded",
            "project.launched",
            "project.tier_completed",
            "project.milestone_reached",
            "project.sale_ended",
            "project.cancelled",
            "system.maintenance_start",
            "system.maintenance_end",
            "system.network_status",
            "system.webhook_disabled",
            "system.delivery_failed",
            "system.alert",
        ],
        Field(description="Type of the event"),
    ]
    test_data: Annotated[
        SendTestEventBodyTestData | None,
        Field(
            description="Values that override fields of the sample data. `amount_xrp` and `investor_account` go with `investment.*` events; any other field must be a field of that event’s data"
        ),
    ] = None


class SystemStatus(Model):
    status: Annotated[
        Literal["operational", "degraded", "down"] | str,
        Field(
            description="down: nothing works; degraded: a part is away or late, or the ledger stands still: payments are late but safe; or an invariant is violated or an account halted, which a person must look into"
        ),
    ]
    causes: Annotated[
        list[
            Literal[
                "database_down",
                "metrics_missing",
                "cache_down",
                "queue_down",
                "ledger_down",
                "ledger_stale",
                "ledger_server_down",
                "ledger_server_behind",
                "ledger_servers_disagree",
                "processing_behind",
                "job_late",
                "invariant_violated",
            ]
            | str
        ],
        Field(description="Why it is not operational; empty while it is"),
    ]
    version: str
    commit: Annotated[str | None, Field(description="What is deployed; null where the deployment does not know")]
    network: Annotated[str, Field(description="Name of the ledger network")]
    network_id: int
    time: AwareDatetime
    checks: SystemStatusChecks
    ledger: SystemStatusLedger
    metrics: Annotated[
        SystemMetrics | None,
        Field(description="Queue lengths and delivery statistics; null when the database does not answer"),
    ]
    invariants: Annotated[
        SystemStatusInvariants, Field(description="What must always hold; null where the database does not answer")
    ]
    maintenance: Annotated[
        SystemStatusMaintenance | None,
        Field(
            description="The work that the operators have announced; null where none is, or the database does not answer"
        ),
    ]


class ListExceptionsAnswer(Model):
    exceptions: list[SaleException1 | SaleException2 | SaleException3 | SaleException4]
    next_cursor: Annotated[str | None, Field(description="Pass as `cursor` for the next page; null at the end")]
