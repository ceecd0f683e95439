# Made from the OpenAPI document: npx tranche generate. Not for changes by hand.
# mypy: disable-error-code=no-any-return
from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, Field

from .models import (
    ActOnOwnProjectBody,
    ActOnPayoutBody,
    ActOnProjectBody,
    AddAllowlistEntriesAnswer,
    AddAllowlistEntriesBody,
    AddOwnAllowlistEntriesAnswer,
    AddOwnAllowlistEntriesBody,
    AdminListAllowlistsAnswer,
    AdminListProjectsAnswer,
    AllowList,
    Approval,
    AskForApprovalBody,
    AskForOwnApprovalBody,
    AssignPaymentBody,
    AttemptDeliveryAnswer,
    AttemptDeliveryBody,
    AuditEntry,
    CancelReplayAnswer,
    CancelWebhookSecretRotationAnswer,
    ChangeMemberBody,
    ChatWithAssistantAnswer,
    ChatWithAssistantBody,
    CommitAllowlistAnswer,
    CommitAllowlistBody,
    CommitOwnAllowlistAnswer,
    CommitOwnAllowlistBody,
    CommitWebhookSecretRotationAnswer,
    ContinueJobAnswer,
    ContinueJobBody,
    CreateAllowlistBody,
    CreateAllowlistFromPlatformIdsAnswer,
    CreateAllowlistFromPlatformIdsBody,
    CreateApiKeyAnswer,
    CreateApiKeyBody,
    CreateOwnAllowlistBody,
    CreateOwnAllowlistFromPlatformIdsAnswer,
    CreateOwnAllowlistFromPlatformIdsBody,
    CreateOwnProjectBody,
    CreatePortalLinkAnswer,
    CreatePortalLinkBody,
    CreateProjectBody,
    CreateWalletChallengeAnswer,
    CreateWalletChallengeBody1,
    CreateWalletChallengeBody2,
    DecideApprovalBody,
    DeleteWebhookAnswer,
    DepositAccount,
    EndMaintenanceBody,
    EndPortalLinkAnswer,
    EraseEventAnswer,
    GeneratePlatformIdAnswer,
    GeneratePlatformIdBody,
    GetAssistantSuggestionsAnswer,
    GetDeliveryAnswer,
    GetDeliveryStatisticsAnswer,
    GetMeAnswer,
    GetOpenapiAnswer,
    GetPlatformIdProfileAnswer,
    GetPlatformIdStatusAnswer,
    GetPortalLinkAnswer,
    GetProjectTokenAnswer,
    GetRaisedHistoryAnswer,
    GetReplayAnswer,
    GetTermsAnswer,
    GetVerificationAnswer,
    GetWebhookAnswer,
    HaltDepositAccountBody,
    Holder,
    HolderSnapshot,
    HolderStatsAnswer,
    Investment,
    InvestmentConfirmedEvent,
    InvestmentCreatedEvent,
    InvestmentFailedEvent,
    InvestmentRefundedEvent,
    InvestmentTokensDistributedEvent,
    Invitation,
    InviteMemberBody,
    IssueTokensAnswer,
    IssueTokensBody1,
    IssueTokensBody2,
    ListAllowlistsAnswer,
    ListApiKeysAnswer,
    ListApiKeysRow,
    ListApprovalsAnswer,
    ListAuditAnswer,
    ListDeliveriesAnswer,
    ListDeliveriesRow,
    ListDepositAccountsAnswer,
    ListEventTypesAnswer,
    ListEventsAnswer,
    ListExceptionsAnswer,
    ListHolderSnapshotsAnswer,
    ListHoldersAnswer,
    ListInvestmentsAnswer,
    ListInvitationsAnswer,
    ListJobsAnswer,
    ListMaintenancesAnswer,
    ListMembersAnswer,
    ListOwnAllowlistsAnswer,
    ListOwnApprovalsAnswer,
    ListOwnAuditAnswer,
    ListOwnDeliveriesAnswer,
    ListOwnDeliveriesRow,
    ListOwnInvestmentsAnswer,
    ListOwnInvestorsAnswer,
    ListOwnInvestorsRow,
    ListOwnPaymentsAnswer,
    ListOwnPayoutsAnswer,
    ListOwnProjectsAnswer,
    ListOwnWebhooksAnswer,
    ListOwnWebhooksRow,
    ListPaymentsAnswer,
    ListPayoutsAnswer,
    ListPortalLinksAnswer,
    ListPortalLinksRow,
    ListProjectInvestmentsAnswer,
    ListProjectsAnswer,
    ListProvenApiKeysAnswer,
    ListProvenApiKeysBody,
    ListProvenApiKeysRow,
    ListReplaysAnswer,
    ListReplaysRow,
    ListSessionsAnswer,
    ListWebhooksAnswer,
    ListWebhooksRow,
    ListWitnessesAnswer,
    Maintenance,
    Member,
    OpenPortalLinkAnswer,
    OpenPortalLinkBody,
    OpenTokenHoldingAnswer,
    OpenTokenHoldingAnswer202,
    OpenTokenHoldingBody,
    PatchOwnProjectBody,
    PatchProjectBody,
    Payment,
    Payout,
    ProcessPaymentsAnswer,
    ProcessTransactionsAnswer,
    ProcessTransactionsBody1,
    ProcessTransactionsBody2,
    Project,
    ProjectCancelledEvent,
    ProjectLaunchedEvent,
    ProjectMilestoneReachedEvent,
    ProjectSaleEndedEvent,
    ProjectTierCompletedEvent,
    QuoteInvestmentAnswer,
    RefundPaymentBody,
    RefundPaymentsAnswer,
    RefundPaymentsBody1,
    RefundPaymentsBody2,
    RefundPaymentsBody3,
    RefundPaymentsBody4,
    RefundPaymentsBody5,
    RefundPaymentsBody6,
    RegisterWebhookAnswer,
    RegisterWebhookBody,
    ReleaseAmounts,
    ReleaseRaisedAnswer,
    ReleaseRaisedBody,
    ResendDeliveryAnswer,
    ResumeDepositAccountBody,
    RetryPayoutsAnswer,
    RetryPayoutsBody1,
    RetryPayoutsBody2,
    RetryPayoutsBody3,
    RevokeApiKeyAnswer,
    RevokeApiKeyBody1,
    RevokeApiKeyBody2,
    RotateWebhookSecretAnswer,
    SaleException1,
    SaleException2,
    SaleException3,
    SaleException4,
    SendTestEventAnswer,
    SendTestEventBody,
    SetCustodyBody,
    SignInAnswer,
    SignInBody,
    StartMaintenanceBody,
    StartReplayAnswer,
    StartReplayAnswer202,
    StartReplayBody,
    SyncHoldersAnswer,
    SystemAlertEvent,
    SystemDeliveryFailedEvent,
    SystemMaintenanceEndEvent,
    SystemMaintenanceStartEvent,
    SystemNetworkStatusEvent,
    SystemStatus,
    SystemWebhookDisabledEvent,
    TrustlineMonitorAnswer,
    UpdateWebhookAnswer,
    UpdateWebhookBody,
    WithdrawOwnApprovalBody,
)

WebhookEvent = Annotated[
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
"""What a webhook receives; event_type tells which."""


def _part(value: str) -> str:
    return quote(value, safe="")


class Operations:
    @abstractmethod
    def _call(self, method: str, path: str, answers: Mapping[int, Any], *, query: Mapping[str, Any] | None = None,
              body: BaseModel | None = None, idempotent: bool = False, idempotency_key: str | None = None) -> Any: ...

    def list_deposit_accounts(self, *, cursor: str | None = None, limit: int | None = None) -> ListDepositAccountsAnswer:
        """List deposit accounts with their reading position and whether the records agree with the ledger."""
        return self._call("GET", "/api/admin/accounts", {200: ListDepositAccountsAnswer}, query={"cursor": cursor, "limit": limit})

    def all_deposit_accounts(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[DepositAccount]:
        """Each row of list_deposit_accounts, page by page, as you take them."""
        while True:
            page = self.list_deposit_accounts(cursor=cursor, limit=limit)
            yield from page.accounts
            cursor = page.next_cursor
            if cursor is None:
                return

    def set_custody(self, address: str, body: SetCustodyBody) -> DepositAccount:
        """Set who must sign what a deposit account sends, for its drafts and the sales that are launched from now on."""
        return self._call("PUT", f"/api/admin/accounts/{_part(address)}/custody", {200: DepositAccount}, body=body)

    def halt_deposit_account(self, address: str, body: HaltDepositAccountBody, *, idempotency_key: str | None = None) -> DepositAccount:
        """Stop reading, confirming and paying for a deposit account; payments keep their ledger position."""
        return self._call("POST", f"/api/admin/accounts/{_part(address)}/halt", {200: DepositAccount}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def resume_deposit_account(self, address: str, body: ResumeDepositAccountBody, *, idempotency_key: str | None = None) -> DepositAccount:
        """Resume a halted deposit account where it stopped."""
        return self._call("POST", f"/api/admin/accounts/{_part(address)}/resume", {200: DepositAccount}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def open_token_holding(self, address: str, body: OpenTokenHoldingBody, *, idempotency_key: str | None = None) -> OpenTokenHoldingAnswer | OpenTokenHoldingAnswer202:
        """Have a distributor set its trust line, or opt in to an MPT, so that its issuer can send it the supply; a dry run answers 200 and signs nothing."""
        return self._call("POST", f"/api/admin/accounts/{_part(address)}/token-holding", {200: OpenTokenHoldingAnswer, 202: OpenTokenHoldingAnswer202}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_approvals(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None, project_id: str | None = None) -> ListApprovalsAnswer:
        """List requests for approval, newest first."""
        return self._call("GET", "/api/admin/approvals", {200: ListApprovalsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "project_id": project_id})

    def all_approvals(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None, project_id: str | None = None) -> Iterator[Approval]:
        """Each row of list_approvals, page by page, as you take them."""
        while True:
            page = self.list_approvals(cursor=cursor, limit=limit, status=status, project_id=project_id)
            yield from page.approvals
            cursor = page.next_cursor
            if cursor is None:
                return

    def ask_for_approval(self, body: AskForApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Ask another operator to approve a launch or a release, which is checked but not carried out."""
        return self._call("POST", "/api/admin/approvals", {201: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_approval(self, id: str) -> Approval:
        """Get a request for approval, with exactly what it would do."""
        return self._call("GET", f"/api/admin/approvals/{_part(id)}", {200: Approval})

    def decide_approval(self, id: str, decision: Literal["approve", "refuse", "withdraw"], body: DecideApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Approve a request, which carries out its action in your name; refuse it; or withdraw your own."""
        return self._call("POST", f"/api/admin/approvals/{_part(id)}/{_part(decision)}", {200: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_audit(self, *, actor: str | None = None, action: str | None = None, subject: str | None = None, from_: datetime | str | None = None, to: datetime | str | None = None, cursor: str | None = None, limit: int | None = None) -> ListAuditAnswer:
        """List what administrators did, with who and why, newest first."""
        return self._call("GET", "/api/admin/audit", {200: ListAuditAnswer}, query={"actor": actor, "action": action, "subject": subject, "from": from_, "to": to, "cursor": cursor, "limit": limit})

    def all_audit(self, *, actor: str | None = None, action: str | None = None, subject: str | None = None, from_: datetime | str | None = None, to: datetime | str | None = None, cursor: str | None = None, limit: int | None = None) -> Iterator[AuditEntry]:
        """Each row of list_audit, page by page, as you take them."""
        while True:
            page = self.list_audit(actor=actor, action=action, subject=subject, from_=from_, to=to, cursor=cursor, limit=limit)
            yield from page.entries
            cursor = page.next_cursor
            if cursor is None:
                return

    def erase_event(self, id: str, *, reason: str) -> EraseEventAnswer:
        """Erase the payload of an event for good, with what receivers answered to it; waiting deliveries are cancelled."""
        return self._call("DELETE", f"/api/admin/events/{_part(id)}/payload", {200: EraseEventAnswer}, query={"reason": reason})

    def list_jobs(self) -> ListJobsAnswer:
        """List background jobs with their last run."""
        return self._call("GET", "/api/admin/jobs", {200: ListJobsAnswer})

    def list_maintenances(self, *, cursor: str | None = None, limit: int | None = None) -> ListMaintenancesAnswer:
        """List maintenances, newest first."""
        return self._call("GET", "/api/admin/maintenance", {200: ListMaintenancesAnswer}, query={"cursor": cursor, "limit": limit})

    def all_maintenances(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[Maintenance]:
        """Each row of list_maintenances, page by page, as you take them."""
        while True:
            page = self.list_maintenances(cursor=cursor, limit=limit)
            yield from page.past
            cursor = page.next_cursor
            if cursor is None:
                return

    def start_maintenance(self, body: StartMaintenanceBody, *, idempotency_key: str | None = None) -> Maintenance:
        """Start a maintenance and send `system.maintenance_start`."""
        return self._call("POST", "/api/admin/maintenance", {201: Maintenance}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def end_maintenance(self, body: EndMaintenanceBody, *, idempotency_key: str | None = None) -> Maintenance:
        """End the maintenance and send `system.maintenance_end`."""
        return self._call("POST", "/api/admin/maintenance/end", {200: Maintenance}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_payments(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["held", "all"] | None = None, reason: Literal["no_tag", "unknown_tag", "not_active", "before_start", "after_end", "between_tiers", "below_minimum", "above_wallet_cap", "not_admitted", "below_one_unit", "sold_out", "soft_cap_missed", "cancelled", "change", "operating_funds", "refund_bounced", "late_discovery", "not_a_payment"] | None = None, sort: Literal["oldest", "amount"] | None = None, account: str | None = None, project_id: str | None = None, min_amount_xrp: str | None = None, max_amount_xrp: str | None = None) -> ListPaymentsAnswer:
        """List held payments, or all payments, with the actions that each allows."""
        return self._call("GET", "/api/admin/payments", {200: ListPaymentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "reason": reason, "sort": sort, "account": account, "project_id": project_id, "min_amount_xrp": min_amount_xrp, "max_amount_xrp": max_amount_xrp})

    def assign_payment(self, transaction_hash: str, body: AssignPaymentBody, *, idempotency_key: str | None = None) -> Project:
        """Credit a held payment to a project as a published exception, by an action on the ledger."""
        return self._call("POST", f"/api/admin/payments/{_part(transaction_hash)}/assign", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def refund_payment(self, transaction_hash: str, body: RefundPaymentBody, *, idempotency_key: str | None = None) -> Payment:
        """Refund the held amount of a payment to its sender."""
        return self._call("POST", f"/api/admin/payments/{_part(transaction_hash)}/refund", {202: Payment}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def refund_payments(self, body: RefundPaymentsBody1 | RefundPaymentsBody2 | RefundPaymentsBody3 | RefundPaymentsBody4 | RefundPaymentsBody5 | RefundPaymentsBody6, *, idempotency_key: str | None = None) -> RefundPaymentsAnswer:
        """Refund the held amount of many payments to their senders; a dry run reports what it would do and writes nothing."""
        return self._call("POST", "/api/admin/payments/refund", {200: RefundPaymentsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_payouts(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled", "open", "all"] | None = None, kind: Literal["distribution", "refund", "release", "lock", "unlock"] | None = None, reason: str | None = None, project_id: str | None = None, account: str | None = None, destination: str | None = None, overdue: Literal["true", "false"] | None = None) -> ListPayoutsAnswer:
        """List distributions, refunds, releases, locks and unlocks, due longest first, with a summary by status and reason."""
        return self._call("GET", "/api/admin/payouts", {200: ListPayoutsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "kind": kind, "reason": reason, "project_id": project_id, "account": account, "destination": destination, "overdue": overdue})

    def get_payout(self, id: str) -> Payout:
        """Get a payout with all its attempts."""
        return self._call("GET", f"/api/admin/payouts/{_part(id)}", {200: Payout})

    def act_on_payout(self, id: str, action: Literal["retry", "hold", "release", "settle"], body: ActOnPayoutBody, *, idempotency_key: str | None = None) -> Payout:
        """Retry a waiting payout now, hold one that is not submitted, release one that is held, or settle it with the transaction that paid it."""
        return self._call("POST", f"/api/admin/payouts/{_part(id)}/{_part(action)}", {200: Payout}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def retry_payouts(self, body: RetryPayoutsBody1 | RetryPayoutsBody2 | RetryPayoutsBody3, *, idempotency_key: str | None = None) -> RetryPayoutsAnswer:
        """Retry waiting payouts now; held, submitted and paid ones are skipped."""
        return self._call("POST", "/api/admin/payouts/retry", {200: RetryPayoutsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def admin_list_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> AdminListProjectsAnswer:
        """List all projects, drafts included, newest first."""
        return self._call("GET", "/api/admin/projects", {200: AdminListProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def admin_all_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> Iterator[Project]:
        """Each row of admin_list_projects, page by page, as you take them."""
        while True:
            page = self.admin_list_projects(cursor=cursor, limit=limit, status=status)
            yield from page.projects
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_project(self, body: CreateProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Create a project as a draft."""
        return self._call("POST", "/api/admin/projects", {201: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def admin_get_project(self, id: str) -> Project:
        """Get a project, drafts included."""
        return self._call("GET", f"/api/admin/projects/{_part(id)}", {200: Project})

    def patch_project(self, id: str, body: PatchProjectBody) -> Project:
        """Change a draft, or what the terms of a launched project leave open."""
        return self._call("PATCH", f"/api/admin/projects/{_part(id)}", {200: Project}, body=body)

    def act_on_project(self, id: str, action: Literal["launch", "pause", "resume", "end", "cancel"], body: ActOnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Launch, pause, resume, end or cancel a sale by a transaction of its deposit account."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/{_part(action)}", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def admin_list_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AdminListAllowlistsAnswer:
        """List all versions of a project’s allowlist, drafts included, newest first."""
        return self._call("GET", f"/api/admin/projects/{_part(id)}/lists", {200: AdminListAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    def admin_all_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[AllowList]:
        """Each row of admin_list_allowlists, page by page, as you take them."""
        while True:
            page = self.admin_list_allowlists(id, cursor=cursor, limit=limit)
            yield from page.lists
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_allowlist(self, id: str, body: CreateAllowlistBody, *, idempotency_key: str | None = None) -> AllowList:
        """Create a new version of a project’s allowlist as an empty draft."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/lists", {201: AllowList}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def discard_allowlist(self, id: str, list_id: str, *, reason: str | None = None) -> None:
        """Discard an allowlist draft; a published version cannot be discarded."""
        self._call("DELETE", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}", {204: None}, query={"reason": reason})

    def commit_allowlist(self, id: str, list_id: str, body: CommitAllowlistBody, *, idempotency_key: str | None = None) -> CommitAllowlistAnswer:
        """Publish an allowlist version and put it in force by a transaction of the deposit account."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}/commit", {202: CommitAllowlistAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def add_allowlist_entries(self, id: str, list_id: str, body: AddAllowlistEntriesBody, *, idempotency_key: str | None = None) -> AddAllowlistEntriesAnswer:
        """Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}/entries", {200: AddAllowlistEntriesAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def create_allowlist_from_platform_ids(self, id: str, body: CreateAllowlistFromPlatformIdsBody, *, idempotency_key: str | None = None) -> CreateAllowlistFromPlatformIdsAnswer:
        """Create a new version of a project’s allowlist from the wallets whose Platform ID has a level."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/lists/from-platform-ids", {200: CreateAllowlistFromPlatformIdsAnswer, 201: CreateAllowlistFromPlatformIdsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_release(self, id: str) -> ReleaseAmounts:
        """Get what a sale has raised, what is releasable to its treasury now, and what must stay."""
        return self._call("GET", f"/api/admin/projects/{_part(id)}/release", {200: ReleaseAmounts})

    def release_raised(self, id: str, body: ReleaseRaisedBody, *, idempotency_key: str | None = None) -> ReleaseRaisedAnswer:
        """Release raised XRP to the treasury of the terms; a dry run answers 200 and writes nothing."""
        return self._call("POST", f"/api/admin/projects/{_part(id)}/release", {200: ReleaseRaisedAnswer, 202: ReleaseRaisedAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_witnesses(self) -> ListWitnessesAnswer:
        """List the witnesses of all accounts with what each says of itself, at most 5 seconds old."""
        return self._call("GET", "/api/admin/witnesses", {200: ListWitnessesAnswer})

    def chat_with_assistant(self, body: ChatWithAssistantBody) -> ChatWithAssistantAnswer:
        """Chat with the AI assistant."""
        return self._call("POST", "/api/ai-agent/chat", {200: ChatWithAssistantAnswer}, body=body)

    def get_assistant_suggestions(self, *, wallet_address: str | None = None, project_id: str | None = None) -> GetAssistantSuggestionsAnswer:
        """AI suggestions and help."""
        return self._call("GET", "/api/ai-agent/suggestions", {200: GetAssistantSuggestionsAnswer}, query={"wallet_address": wallet_address, "project_id": project_id})

    def create_wallet_challenge(self, body: CreateWalletChallengeBody1 | CreateWalletChallengeBody2) -> CreateWalletChallengeAnswer:
        """Create a challenge for a wallet to sign, valid for one try within five minutes."""
        return self._call("POST", "/api/api-keys/challenge", {201: CreateWalletChallengeAnswer}, body=body)

    def create_api_key(self, body: CreateApiKeyBody, *, idempotency_key: str | None = None) -> CreateApiKeyAnswer:
        """Create an API key: the wallet’s with a proof, the tenant’s with a key of it, else one of its own. It is shown once, in this answer."""
        return self._call("POST", "/api/api-keys/create", {201: CreateApiKeyAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_api_keys(self, wallet_address: str, *, cursor: str | None = None, limit: int | None = None) -> ListApiKeysAnswer:
        """List the API keys of a wallet, newest first; names and scopes only for a key of their tenant."""
        return self._call("GET", f"/api/api-keys/list/{_part(wallet_address)}", {200: ListApiKeysAnswer}, query={"cursor": cursor, "limit": limit})

    def all_api_keys(self, wallet_address: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListApiKeysRow]:
        """Each row of list_api_keys, page by page, as you take them."""
        while True:
            page = self.list_api_keys(wallet_address, cursor=cursor, limit=limit)
            yield from page.api_keys
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_proven_api_keys(self, wallet_address: str, body: ListProvenApiKeysBody, *, cursor: str | None = None, limit: int | None = None) -> ListProvenApiKeysAnswer:
        """List a wallet’s own API keys with names and scopes; each page needs a proof."""
        return self._call("POST", f"/api/api-keys/list/{_part(wallet_address)}", {200: ListProvenApiKeysAnswer}, query={"cursor": cursor, "limit": limit}, body=body)

    def all_proven_api_keys(self, wallet_address: str, body: ListProvenApiKeysBody, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListProvenApiKeysRow]:
        """Each row of list_proven_api_keys, page by page, as you take them."""
        while True:
            page = self.list_proven_api_keys(wallet_address, body, cursor=cursor, limit=limit)
            yield from page.api_keys
            cursor = page.next_cursor
            if cursor is None:
                return

    def revoke_api_key(self, body: RevokeApiKeyBody1 | RevokeApiKeyBody2) -> RevokeApiKeyAnswer:
        """Revoke an API key, by itself or by its id and a proof of its wallet. Revoking it again gives the same answer."""
        return self._call("POST", "/api/api-keys/revoke", {200: RevokeApiKeyAnswer}, body=body)

    def holder_stats(self, *, token: str | None = None, project_id: str | None = None) -> HolderStatsAnswer:
        """Get the holder statistics of the last snapshot."""
        return self._call("GET", "/api/cron/holder-stats", {200: HolderStatsAnswer}, query={"token": token, "project_id": project_id})

    def process_payments(self) -> ProcessPaymentsAnswer:
        """Read the ledger, confirm investments, pay out, and wake deliveries: one slice."""
        return self._call("GET", "/api/cron/process-payments", {200: ProcessPaymentsAnswer})

    def sync_holders(self) -> SyncHoldersAnswer:
        """Take a snapshot of the holders: one slice, continued by the queue."""
        return self._call("GET", "/api/cron/sync-holders", {200: SyncHoldersAnswer})

    def list_events(self, *, cursor: str | None = None, limit: int | None = None, types: str | None = None, project: str | None = None, min_amount_xrp: str | None = None, statuses: str | None = None, since: datetime | str | None = None) -> ListEventsAnswer:
        """List the events that your webhooks could receive, oldest first, to catch up or to poll."""
        return self._call("GET", "/api/events", {200: ListEventsAnswer}, query={"cursor": cursor, "limit": limit, "types": types, "project": project, "min_amount_xrp": min_amount_xrp, "statuses": statuses, "since": since})

    def all_events(self, *, cursor: str | None = None, limit: int | None = None, types: str | None = None, project: str | None = None, min_amount_xrp: str | None = None, statuses: str | None = None, since: datetime | str | None = None) -> Iterator[WebhookEvent]:
        """Each row of list_events, page by page, as you take them."""
        while True:
            page = self.list_events(cursor=cursor, limit=limit, types=types, project=project, min_amount_xrp=min_amount_xrp, statuses=statuses, since=since)
            yield from page.events
            cursor = page.next_cursor
            if cursor is None or not page.has_more:
                return

    def get_event(self, id: str) -> WebhookEvent:
        """Get an event, as your webhooks could receive it."""
        return self._call("GET", f"/api/events/{_part(id)}", {200: WebhookEvent})

    def list_holders(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> ListHoldersAnswer:
        """List the holders of a token in the last snapshot, largest first."""
        return self._call("GET", "/api/holders", {200: ListHoldersAnswer}, query={"token": token, "project_id": project_id, "cursor": cursor, "limit": limit})

    def all_holders(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> Iterator[Holder]:
        """Each row of list_holders, page by page, as you take them."""
        while True:
            page = self.list_holders(token=token, project_id=project_id, cursor=cursor, limit=limit)
            yield from page.holders
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_holder_snapshots(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> ListHolderSnapshotsAnswer:
        """List the holder statistics of every snapshot, newest first."""
        return self._call("GET", "/api/holders/history", {200: ListHolderSnapshotsAnswer}, query={"token": token, "project_id": project_id, "cursor": cursor, "limit": limit})

    def all_holder_snapshots(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> Iterator[HolderSnapshot]:
        """Each row of list_holder_snapshots, page by page, as you take them."""
        while True:
            page = self.list_holder_snapshots(token=token, project_id=project_id, cursor=cursor, limit=limit)
            yield from page.snapshots
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_investments(self, *, cursor: str | None = None, limit: int | None = None, wallet_address: str, project_id: str | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListInvestmentsAnswer:
        """List the investments of a wallet, newest first."""
        return self._call("GET", "/api/investments", {200: ListInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "wallet_address": wallet_address, "project_id": project_id, "status": status})

    def all_investments(self, *, cursor: str | None = None, limit: int | None = None, wallet_address: str, project_id: str | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> Iterator[Investment]:
        """Each row of list_investments, page by page, as you take them."""
        while True:
            page = self.list_investments(cursor=cursor, limit=limit, wallet_address=wallet_address, project_id=project_id, status=status)
            yield from page.investments
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_investment(self, id: str) -> Investment:
        """Get an investment with its allocation, payouts and refunds."""
        return self._call("GET", f"/api/investments/{_part(id)}", {200: Investment})

    def get_openapi(self) -> GetOpenapiAnswer:
        """Get this API as an OpenAPI 3.1 document."""
        return self._call("GET", "/api/openapi.json", {200: GetOpenapiAnswer})

    def list_own_audit(self, *, cursor: str | None = None, limit: int | None = None) -> ListOwnAuditAnswer:
        """List what members of the tenant did, and what administrators did to its sales, newest first."""
        return self._call("GET", "/api/owner/audit", {200: ListOwnAuditAnswer}, query={"cursor": cursor, "limit": limit})

    def all_own_audit(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[AuditEntry]:
        """Each row of list_own_audit, page by page, as you take them."""
        while True:
            page = self.list_own_audit(cursor=cursor, limit=limit)
            yield from page.entries
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_invitations(self) -> ListInvitationsAnswer:
        """List the open invitations of the tenant, oldest first."""
        return self._call("GET", "/api/owner/invitations", {200: ListInvitationsAnswer})

    def invite_member(self, body: InviteMemberBody, *, idempotency_key: str | None = None) -> Invitation:
        """Invite a wallet, for 7 days. Inviting it again replaces the invitation."""
        return self._call("POST", "/api/owner/invitations", {201: Invitation}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def withdraw_invitation(self, invitation_id: str) -> None:
        """Withdraw an invitation."""
        self._call("DELETE", f"/api/owner/invitations/{_part(invitation_id)}", {204: None})

    def get_me(self) -> GetMeAnswer:
        """Get who is signed in, the wallet’s memberships and its open invitations."""
        return self._call("GET", "/api/owner/me", {200: GetMeAnswer})

    def leave_tenant(self) -> None:
        """End your own membership, and at once every session of it."""
        self._call("DELETE", "/api/owner/me", {204: None})

    def list_members(self) -> ListMembersAnswer:
        """List the members of the tenant, oldest first."""
        return self._call("GET", "/api/owner/members", {200: ListMembersAnswer})

    def change_member(self, member_id: str, body: ChangeMemberBody) -> Member:
        """Change the role of a member; it holds from their next request on."""
        return self._call("PATCH", f"/api/owner/members/{_part(member_id)}", {200: Member}, body=body)

    def remove_member(self, member_id: str) -> None:
        """End a membership, and at once every session of it."""
        self._call("DELETE", f"/api/owner/members/{_part(member_id)}", {204: None})

    def list_own_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> ListOwnProjectsAnswer:
        """List the tenant’s sales, drafts included, newest first."""
        return self._call("GET", "/api/owner/projects", {200: ListOwnProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def all_own_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> Iterator[Project]:
        """Each row of list_own_projects, page by page, as you take them."""
        while True:
            page = self.list_own_projects(cursor=cursor, limit=limit, status=status)
            yield from page.projects
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_own_project(self, body: CreateOwnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Create a sale of the tenant as a draft."""
        return self._call("POST", "/api/owner/projects", {201: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_own_project(self, id: str) -> Project:
        """Get one of the tenant’s sales, drafts included."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}", {200: Project})

    def patch_own_project(self, id: str, body: PatchOwnProjectBody) -> Project:
        """Change a draft of the tenant, or what the terms of a launched sale leave open."""
        return self._call("PATCH", f"/api/owner/projects/{_part(id)}", {200: Project}, body=body)

    def delete_own_draft(self, id: str, *, reason: str | None = None) -> None:
        """Delete a draft of the tenant; its destination tag is never used again."""
        self._call("DELETE", f"/api/owner/projects/{_part(id)}", {204: None}, query={"reason": reason})

    def act_on_own_project(self, id: str, action: Literal["pause", "resume", "end"], body: ActOnOwnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Pause, resume or end one of the tenant’s sales by a transaction of its deposit account."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/{_part(action)}", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_own_approvals(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None) -> ListOwnApprovalsAnswer:
        """List the requests for approval of one of the tenant’s sales, newest first."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/approvals", {200: ListOwnApprovalsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def all_own_approvals(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None) -> Iterator[Approval]:
        """Each row of list_own_approvals, page by page, as you take them."""
        while True:
            page = self.list_own_approvals(id, cursor=cursor, limit=limit, status=status)
            yield from page.approvals
            cursor = page.next_cursor
            if cursor is None:
                return

    def ask_for_own_approval(self, id: str, body: AskForOwnApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Ask an administrator to approve the launch of one of the tenant’s sales, or a release to its treasury."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/approvals", {201: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def withdraw_own_approval(self, id: str, approval_id: str, body: WithdrawOwnApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Withdraw a request for approval that the tenant made."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/approvals/{_part(approval_id)}/withdraw", {200: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_own_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListOwnInvestmentsAnswer:
        """List the investments in one of the tenant’s sales, newest first."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/investments", {200: ListOwnInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def all_own_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> Iterator[Investment]:
        """Each row of list_own_investments, page by page, as you take them."""
        while True:
            page = self.list_own_investments(id, cursor=cursor, limit=limit, status=status)
            yield from page.investments
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_own_investors(self, id: str, *, search: str | None = None, cursor: str | None = None) -> ListOwnInvestorsAnswer:
        """List the wallets that bought in one of the tenant’s sales, those that invested most first."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/investors", {200: ListOwnInvestorsAnswer}, query={"search": search, "cursor": cursor})

    def all_own_investors(self, id: str, *, search: str | None = None, cursor: str | None = None) -> Iterator[ListOwnInvestorsRow]:
        """Each row of list_own_investors, page by page, as you take them."""
        while True:
            page = self.list_own_investors(id, search=search, cursor=cursor)
            yield from page.investors
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_own_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListOwnAllowlistsAnswer:
        """List all versions of the allowlist of one of the tenant’s sales, drafts included, newest first."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/lists", {200: ListOwnAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    def all_own_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[AllowList]:
        """Each row of list_own_allowlists, page by page, as you take them."""
        while True:
            page = self.list_own_allowlists(id, cursor=cursor, limit=limit)
            yield from page.lists
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_own_allowlist(self, id: str, body: CreateOwnAllowlistBody, *, idempotency_key: str | None = None) -> AllowList:
        """Create a new version of a project’s allowlist as an empty draft."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/lists", {201: AllowList}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def discard_own_allowlist(self, id: str, list_id: str, *, reason: str | None = None) -> None:
        """Discard an allowlist draft; a published version cannot be discarded."""
        self._call("DELETE", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}", {204: None}, query={"reason": reason})

    def commit_own_allowlist(self, id: str, list_id: str, body: CommitOwnAllowlistBody, *, idempotency_key: str | None = None) -> CommitOwnAllowlistAnswer:
        """Publish an allowlist version and put it in force by a transaction of the deposit account."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}/commit", {202: CommitOwnAllowlistAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def add_own_allowlist_entries(self, id: str, list_id: str, body: AddOwnAllowlistEntriesBody, *, idempotency_key: str | None = None) -> AddOwnAllowlistEntriesAnswer:
        """Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}/entries", {200: AddOwnAllowlistEntriesAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def create_own_allowlist_from_platform_ids(self, id: str, body: CreateOwnAllowlistFromPlatformIdsBody, *, idempotency_key: str | None = None) -> CreateOwnAllowlistFromPlatformIdsAnswer:
        """Create a new version of a project’s allowlist from the wallets whose Platform ID has a level."""
        return self._call("POST", f"/api/owner/projects/{_part(id)}/lists/from-platform-ids", {200: CreateOwnAllowlistFromPlatformIdsAnswer, 201: CreateOwnAllowlistFromPlatformIdsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_own_payments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["held", "all"] | None = None, reason: Literal["no_tag", "unknown_tag", "not_active", "before_start", "after_end", "between_tiers", "below_minimum", "above_wallet_cap", "not_admitted", "below_one_unit", "sold_out", "soft_cap_missed", "cancelled", "change", "operating_funds", "refund_bounced", "late_discovery", "not_a_payment"] | None = None, sort: Literal["oldest", "amount"] | None = None, min_amount_xrp: str | None = None, max_amount_xrp: str | None = None) -> ListOwnPaymentsAnswer:
        """List the payments to one of the tenant’s sales, or those that are held, in ledger order."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/payments", {200: ListOwnPaymentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "reason": reason, "sort": sort, "min_amount_xrp": min_amount_xrp, "max_amount_xrp": max_amount_xrp})

    def list_own_payouts(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled", "open", "all"] | None = None, kind: Literal["distribution", "refund", "release", "lock", "unlock"] | None = None, reason: str | None = None, account: str | None = None, destination: str | None = None, overdue: Literal["true", "false"] | None = None) -> ListOwnPayoutsAnswer:
        """List the distributions, refunds, releases and locks of one of the tenant’s sales, due longest first, with a summary."""
        return self._call("GET", f"/api/owner/projects/{_part(id)}/payouts", {200: ListOwnPayoutsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "kind": kind, "reason": reason, "account": account, "destination": destination, "overdue": overdue})

    def list_sessions(self) -> ListSessionsAnswer:
        """List your own sessions that last, newest first."""
        return self._call("GET", "/api/owner/sessions", {200: ListSessionsAnswer})

    def sign_in(self, body: SignInBody) -> SignInAnswer:
        """Sign in as a member by a wallet proof for the action `sign_in`, for 8 hours. The token is shown once, in this answer."""
        return self._call("POST", "/api/owner/sessions", {201: SignInAnswer}, body=body)

    def end_session(self, session_id: str) -> None:
        """End one of your own sessions at once; the one that asks signs out."""
        self._call("DELETE", f"/api/owner/sessions/{_part(session_id)}", {204: None})

    def list_own_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> ListOwnWebhooksAnswer:
        """List the webhooks of the tenant, newest first; its API keys change them."""
        return self._call("GET", "/api/owner/webhooks", {200: ListOwnWebhooksAnswer}, query={"cursor": cursor, "limit": limit})

    def all_own_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListOwnWebhooksRow]:
        """Each row of list_own_webhooks, page by page, as you take them."""
        while True:
            page = self.list_own_webhooks(cursor=cursor, limit=limit)
            yield from page.webhooks
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_own_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> ListOwnDeliveriesAnswer:
        """List the deliveries of one of the tenant’s webhooks, newest first."""
        return self._call("GET", f"/api/owner/webhooks/{_part(webhook_id)}/deliveries", {200: ListOwnDeliveriesAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "event_type": event_type, "from": from_, "to": to})

    def all_own_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> Iterator[ListOwnDeliveriesRow]:
        """Each row of list_own_deliveries, page by page, as you take them."""
        while True:
            page = self.list_own_deliveries(webhook_id, cursor=cursor, limit=limit, status=status, event_type=event_type, from_=from_, to=to)
            yield from page.deliveries
            cursor = page.next_cursor
            if cursor is None:
                return

    def generate_platform_id(self, body: GeneratePlatformIdBody) -> GeneratePlatformIdAnswer:
        """Create a wallet’s Platform ID (201) or get the one that it has (200); set its display name with a proof."""
        return self._call("POST", "/api/platform-id/generate", {200: GeneratePlatformIdAnswer, 201: GeneratePlatformIdAnswer}, body=body)

    def get_platform_id_profile(self, wallet_address: str) -> GetPlatformIdProfileAnswer:
        """Get the profile of a wallet with a Platform ID: level, holdings, badges, investments."""
        return self._call("GET", f"/api/platform-id/profile/{_part(wallet_address)}", {200: GetPlatformIdProfileAnswer})

    def get_platform_id_status(self, wallet_address: str) -> GetPlatformIdStatusAnswer:
        """Get whether a wallet has a Platform ID or can have one; if not, why, and what to do."""
        return self._call("GET", f"/api/platform-id/status/{_part(wallet_address)}", {200: GetPlatformIdStatusAnswer})

    def list_portal_links(self, *, cursor: str | None = None, limit: int | None = None) -> ListPortalLinksAnswer:
        """List the portal links of the key’s tenant, newest first."""
        return self._call("GET", "/api/portal-links", {200: ListPortalLinksAnswer}, query={"cursor": cursor, "limit": limit})

    def all_portal_links(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListPortalLinksRow]:
        """Each row of list_portal_links, page by page, as you take them."""
        while True:
            page = self.list_portal_links(cursor=cursor, limit=limit)
            yield from page.portal_links
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_portal_link(self, body: CreatePortalLinkBody, *, idempotency_key: str | None = None) -> CreatePortalLinkAnswer:
        """Create a link to the webhook portal, good for one opening within five minutes. It is shown once, in this answer."""
        return self._call("POST", "/api/portal-links", {201: CreatePortalLinkAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_portal_link(self, id: str) -> GetPortalLinkAnswer:
        """Get a portal link with what was done by it."""
        return self._call("GET", f"/api/portal-links/{_part(id)}", {200: GetPortalLinkAnswer})

    def end_portal_link(self, id: str) -> EndPortalLinkAnswer:
        """End a portal link, and at once what was opened by it. Ending it again gives the same answer."""
        return self._call("DELETE", f"/api/portal-links/{_part(id)}", {200: EndPortalLinkAnswer})

    def open_portal_link(self, body: OpenPortalLinkBody) -> OpenPortalLinkAnswer:
        """Open a portal link: exchange its token, once, for that of a session. The page of the portal does this."""
        return self._call("POST", "/api/portal-sessions", {201: OpenPortalLinkAnswer}, body=body)

    def list_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["active", "paused", "completed", "cancelled"] | None = None) -> ListProjectsAnswer:
        """List launched projects, newest first."""
        return self._call("GET", "/api/projects", {200: ListProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def all_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["active", "paused", "completed", "cancelled"] | None = None) -> Iterator[Project]:
        """Each row of list_projects, page by page, as you take them."""
        while True:
            page = self.list_projects(cursor=cursor, limit=limit, status=status)
            yield from page.projects
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_project(self, id: str) -> Project:
        """Get a project with its tiers and progress."""
        return self._call("GET", f"/api/projects/{_part(id)}", {200: Project})

    def list_exceptions(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListExceptionsAnswer:
        """List the exceptions of a sale: assigned payments, late discoveries and operators’ refunds, newest first."""
        return self._call("GET", f"/api/projects/{_part(id)}/exceptions", {200: ListExceptionsAnswer}, query={"cursor": cursor, "limit": limit})

    def all_exceptions(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[SaleException1 | SaleException2 | SaleException3 | SaleException4]:
        """Each row of list_exceptions, page by page, as you take them."""
        while True:
            page = self.list_exceptions(id, cursor=cursor, limit=limit)
            yield from page.exceptions
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_raised_history(self, id: str) -> GetRaisedHistoryAnswer:
        """Get what a sale has raised over time, in at most 96 steps."""
        return self._call("GET", f"/api/projects/{_part(id)}/history", {200: GetRaisedHistoryAnswer})

    def list_project_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListProjectInvestmentsAnswer:
        """List the investments in a sale, newest first."""
        return self._call("GET", f"/api/projects/{_part(id)}/investments", {200: ListProjectInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    def all_project_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> Iterator[Investment]:
        """Each row of list_project_investments, page by page, as you take them."""
        while True:
            page = self.list_project_investments(id, cursor=cursor, limit=limit, status=status)
            yield from page.investments
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListAllowlistsAnswer:
        """List the published versions of a project’s allowlist, newest first."""
        return self._call("GET", f"/api/projects/{_part(id)}/lists", {200: ListAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    def all_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[AllowList]:
        """Each row of list_allowlists, page by page, as you take them."""
        while True:
            page = self.list_allowlists(id, cursor=cursor, limit=limit)
            yield from page.lists
            cursor = page.next_cursor
            if cursor is None:
                return

    def quote_investment(self, id: str, *, amount_xrp: str, wallet_address: str | None = None) -> QuoteInvestmentAnswer:
        """Quote a payment: what an amount would buy now, tier by tier, and what would be refunded."""
        return self._call("GET", f"/api/projects/{_part(id)}/quote", {200: QuoteInvestmentAnswer}, query={"amount_xrp": amount_xrp, "wallet_address": wallet_address})

    def get_terms(self, id: str) -> GetTermsAnswer:
        """Get the terms of a sale as canonical JSON, with their SHA-256 and the launch that anchors them."""
        return self._call("GET", f"/api/projects/{_part(id)}/terms", {200: GetTermsAnswer})

    def get_project_token(self, id: str) -> GetProjectTokenAnswer:
        """Get what the issuer can still do with the token, read from the ledger now."""
        return self._call("GET", f"/api/projects/{_part(id)}/token", {200: GetProjectTokenAnswer})

    def get_verification(self, id: str) -> GetVerificationAnswer:
        """Get what anyone needs to verify a sale, and the result of the platform’s last verification."""
        return self._call("GET", f"/api/projects/{_part(id)}/verification", {200: GetVerificationAnswer})

    def continue_job(self, body: ContinueJobBody) -> ContinueJobAnswer:
        """QStash callback: the next slice of background work."""
        return self._call("POST", "/api/queue/continue", {200: ContinueJobAnswer}, body=body)

    def attempt_delivery(self, body: AttemptDeliveryBody) -> AttemptDeliveryAnswer:
        """QStash callback: make one attempt of a delivery."""
        return self._call("POST", "/api/queue/deliver", {200: AttemptDeliveryAnswer}, body=body)

    def issue_tokens(self, body: IssueTokensBody1 | IssueTokensBody2, *, idempotency_key: str | None = None) -> IssueTokensAnswer:
        """Pay out due tokens now, chosen by sale or by investment."""
        return self._call("POST", "/api/system/issue-tokens", {200: IssueTokensAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def process_transactions(self, body: ProcessTransactionsBody1 | ProcessTransactionsBody2, *, idempotency_key: str | None = None) -> ProcessTransactionsAnswer:
        """Read given transactions or ledgers again, compare them with the records, and write the missing ones."""
        return self._call("POST", "/api/system/process-transactions", {200: ProcessTransactionsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_system_status(self) -> SystemStatus:
        """Real-time system health and metrics."""
        return self._call("GET", "/api/system/status", {200: SystemStatus})

    def trustline_monitor(self) -> TrustlineMonitorAnswer:
        """Check every holder with a due distribution, and the health of every paying account."""
        return self._call("GET", "/api/system/trustline-monitor", {200: TrustlineMonitorAnswer})

    def list_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> ListWebhooksAnswer:
        """List webhooks, newest first."""
        return self._call("GET", "/api/webhooks", {200: ListWebhooksAnswer}, query={"cursor": cursor, "limit": limit})

    def all_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListWebhooksRow]:
        """Each row of list_webhooks, page by page, as you take them."""
        while True:
            page = self.list_webhooks(cursor=cursor, limit=limit)
            yield from page.webhooks
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_webhook(self, id: str) -> GetWebhookAnswer:
        """Get a webhook."""
        return self._call("GET", f"/api/webhooks/{_part(id)}", {200: GetWebhookAnswer})

    def update_webhook(self, id: str, body: UpdateWebhookBody) -> UpdateWebhookAnswer:
        """Update a webhook. Fields left out stay as they are."""
        return self._call("PATCH", f"/api/webhooks/{_part(id)}", {200: UpdateWebhookAnswer}, body=body)

    def delete_webhook(self, id: str) -> DeleteWebhookAnswer:
        """Delete a webhook. Its waiting deliveries are cancelled."""
        return self._call("DELETE", f"/api/webhooks/{_part(id)}", {200: DeleteWebhookAnswer})

    def list_event_types(self) -> ListEventTypesAnswer:
        """List the event types with an example of each."""
        return self._call("GET", "/api/webhooks/event-types", {200: ListEventTypesAnswer})

    def register_webhook(self, body: RegisterWebhookBody, *, idempotency_key: str | None = None) -> RegisterWebhookAnswer:
        """Register a webhook. Its signing secret is shown once, in this answer."""
        return self._call("POST", "/webhooks", {201: RegisterWebhookAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def list_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> ListDeliveriesAnswer:
        """List the deliveries of a webhook, newest first."""
        return self._call("GET", f"/webhooks/{_part(webhook_id)}/deliveries", {200: ListDeliveriesAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "event_type": event_type, "from": from_, "to": to})

    def all_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> Iterator[ListDeliveriesRow]:
        """Each row of list_deliveries, page by page, as you take them."""
        while True:
            page = self.list_deliveries(webhook_id, cursor=cursor, limit=limit, status=status, event_type=event_type, from_=from_, to=to)
            yield from page.deliveries
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_delivery(self, webhook_id: str, delivery_id: str) -> GetDeliveryAnswer:
        """Get a delivery: what was sent, and each attempt with its answer."""
        return self._call("GET", f"/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}", {200: GetDeliveryAnswer})

    def resend_delivery(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> ResendDeliveryAnswer:
        """Resend the event of an ended delivery as a new delivery with the same bytes."""
        return self._call("POST", f"/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}/resend", {202: ResendDeliveryAnswer}, idempotent=True, idempotency_key=idempotency_key)

    def list_replays(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None) -> ListReplaysAnswer:
        """List the replays of a webhook, newest first."""
        return self._call("GET", f"/webhooks/{_part(webhook_id)}/replays", {200: ListReplaysAnswer}, query={"cursor": cursor, "limit": limit})

    def all_replays(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None) -> Iterator[ListReplaysRow]:
        """Each row of list_replays, page by page, as you take them."""
        while True:
            page = self.list_replays(webhook_id, cursor=cursor, limit=limit)
            yield from page.replays
            cursor = page.next_cursor
            if cursor is None:
                return

    def start_replay(self, webhook_id: str, body: StartReplayBody, *, idempotency_key: str | None = None) -> StartReplayAnswer | StartReplayAnswer202:
        """Replay the events of a time range, at a low rate beside live events. Count them first with `dry_run`."""
        return self._call("POST", f"/webhooks/{_part(webhook_id)}/replays", {200: StartReplayAnswer, 202: StartReplayAnswer202}, body=body, idempotent=True, idempotency_key=idempotency_key)

    def get_replay(self, webhook_id: str, replay_id: str) -> GetReplayAnswer:
        """Get the progress of a replay."""
        return self._call("GET", f"/webhooks/{_part(webhook_id)}/replays/{_part(replay_id)}", {200: GetReplayAnswer})

    def cancel_replay(self, webhook_id: str, replay_id: str, *, idempotency_key: str | None = None) -> CancelReplayAnswer:
        """Cancel a replay: no more deliveries are created, and its unfinished ones are cancelled."""
        return self._call("POST", f"/webhooks/{_part(webhook_id)}/replays/{_part(replay_id)}/cancel", {200: CancelReplayAnswer}, idempotent=True, idempotency_key=idempotency_key)

    def rotate_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> RotateWebhookSecretAnswer:
        """Start a rotation of the signing secret. The new secret is shown once, in this answer."""
        return self._call("POST", f"/webhooks/{_part(webhook_id)}/rotate-secret", {200: RotateWebhookSecretAnswer}, idempotent=True, idempotency_key=idempotency_key)

    def cancel_webhook_secret_rotation(self, webhook_id: str) -> CancelWebhookSecretRotationAnswer:
        """Cancel the rotation: the old secret stays."""
        return self._call("DELETE", f"/webhooks/{_part(webhook_id)}/rotate-secret", {200: CancelWebhookSecretRotationAnswer})

    def commit_webhook_secret_rotation(self, webhook_id: str, *, idempotency_key: str | None = None) -> CommitWebhookSecretRotationAnswer:
        """Commit the rotation: only the new secret remains."""
        return self._call("POST", f"/webhooks/{_part(webhook_id)}/rotate-secret/commit", {200: CommitWebhookSecretRotationAnswer}, idempotent=True, idempotency_key=idempotency_key)

    def get_delivery_statistics(self, webhook_id: str, *, period: Literal["hour", "day", "week"] | None = None) -> GetDeliveryStatisticsAnswer:
        """Get the deliveries of a webhook over time, by outcome, with their latency."""
        return self._call("GET", f"/webhooks/{_part(webhook_id)}/statistics", {200: GetDeliveryStatisticsAnswer}, query={"period": period})

    def send_test_event(self, body: SendTestEventBody, *, idempotency_key: str | None = None) -> SendTestEventAnswer:
        """Send a test event once, now, and get the receiver’s answer."""
        return self._call("POST", "/webhooks/test", {200: SendTestEventAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)


class AsyncOperations:
    @abstractmethod
    async def _call(self, method: str, path: str, answers: Mapping[int, Any], *, query: Mapping[str, Any] | None = None,
                    body: BaseModel | None = None, idempotent: bool = False, idempotency_key: str | None = None) -> Any: ...

    async def list_deposit_accounts(self, *, cursor: str | None = None, limit: int | None = None) -> ListDepositAccountsAnswer:
        """List deposit accounts with their reading position and whether the records agree with the ledger."""
        return await self._call("GET", "/api/admin/accounts", {200: ListDepositAccountsAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_deposit_accounts(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[DepositAccount]:
        """Each row of list_deposit_accounts, page by page, as you take them."""
        while True:
            page = await self.list_deposit_accounts(cursor=cursor, limit=limit)
            for row in page.accounts:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def set_custody(self, address: str, body: SetCustodyBody) -> DepositAccount:
        """Set who must sign what a deposit account sends, for its drafts and the sales that are launched from now on."""
        return await self._call("PUT", f"/api/admin/accounts/{_part(address)}/custody", {200: DepositAccount}, body=body)

    async def halt_deposit_account(self, address: str, body: HaltDepositAccountBody, *, idempotency_key: str | None = None) -> DepositAccount:
        """Stop reading, confirming and paying for a deposit account; payments keep their ledger position."""
        return await self._call("POST", f"/api/admin/accounts/{_part(address)}/halt", {200: DepositAccount}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def resume_deposit_account(self, address: str, body: ResumeDepositAccountBody, *, idempotency_key: str | None = None) -> DepositAccount:
        """Resume a halted deposit account where it stopped."""
        return await self._call("POST", f"/api/admin/accounts/{_part(address)}/resume", {200: DepositAccount}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def open_token_holding(self, address: str, body: OpenTokenHoldingBody, *, idempotency_key: str | None = None) -> OpenTokenHoldingAnswer | OpenTokenHoldingAnswer202:
        """Have a distributor set its trust line, or opt in to an MPT, so that its issuer can send it the supply; a dry run answers 200 and signs nothing."""
        return await self._call("POST", f"/api/admin/accounts/{_part(address)}/token-holding", {200: OpenTokenHoldingAnswer, 202: OpenTokenHoldingAnswer202}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_approvals(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None, project_id: str | None = None) -> ListApprovalsAnswer:
        """List requests for approval, newest first."""
        return await self._call("GET", "/api/admin/approvals", {200: ListApprovalsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "project_id": project_id})

    async def all_approvals(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None, project_id: str | None = None) -> AsyncIterator[Approval]:
        """Each row of list_approvals, page by page, as you take them."""
        while True:
            page = await self.list_approvals(cursor=cursor, limit=limit, status=status, project_id=project_id)
            for row in page.approvals:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def ask_for_approval(self, body: AskForApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Ask another operator to approve a launch or a release, which is checked but not carried out."""
        return await self._call("POST", "/api/admin/approvals", {201: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_approval(self, id: str) -> Approval:
        """Get a request for approval, with exactly what it would do."""
        return await self._call("GET", f"/api/admin/approvals/{_part(id)}", {200: Approval})

    async def decide_approval(self, id: str, decision: Literal["approve", "refuse", "withdraw"], body: DecideApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Approve a request, which carries out its action in your name; refuse it; or withdraw your own."""
        return await self._call("POST", f"/api/admin/approvals/{_part(id)}/{_part(decision)}", {200: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_audit(self, *, actor: str | None = None, action: str | None = None, subject: str | None = None, from_: datetime | str | None = None, to: datetime | str | None = None, cursor: str | None = None, limit: int | None = None) -> ListAuditAnswer:
        """List what administrators did, with who and why, newest first."""
        return await self._call("GET", "/api/admin/audit", {200: ListAuditAnswer}, query={"actor": actor, "action": action, "subject": subject, "from": from_, "to": to, "cursor": cursor, "limit": limit})

    async def all_audit(self, *, actor: str | None = None, action: str | None = None, subject: str | None = None, from_: datetime | str | None = None, to: datetime | str | None = None, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[AuditEntry]:
        """Each row of list_audit, page by page, as you take them."""
        while True:
            page = await self.list_audit(actor=actor, action=action, subject=subject, from_=from_, to=to, cursor=cursor, limit=limit)
            for row in page.entries:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def erase_event(self, id: str, *, reason: str) -> EraseEventAnswer:
        """Erase the payload of an event for good, with what receivers answered to it; waiting deliveries are cancelled."""
        return await self._call("DELETE", f"/api/admin/events/{_part(id)}/payload", {200: EraseEventAnswer}, query={"reason": reason})

    async def list_jobs(self) -> ListJobsAnswer:
        """List background jobs with their last run."""
        return await self._call("GET", "/api/admin/jobs", {200: ListJobsAnswer})

    async def list_maintenances(self, *, cursor: str | None = None, limit: int | None = None) -> ListMaintenancesAnswer:
        """List maintenances, newest first."""
        return await self._call("GET", "/api/admin/maintenance", {200: ListMaintenancesAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_maintenances(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[Maintenance]:
        """Each row of list_maintenances, page by page, as you take them."""
        while True:
            page = await self.list_maintenances(cursor=cursor, limit=limit)
            for row in page.past:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def start_maintenance(self, body: StartMaintenanceBody, *, idempotency_key: str | None = None) -> Maintenance:
        """Start a maintenance and send `system.maintenance_start`."""
        return await self._call("POST", "/api/admin/maintenance", {201: Maintenance}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def end_maintenance(self, body: EndMaintenanceBody, *, idempotency_key: str | None = None) -> Maintenance:
        """End the maintenance and send `system.maintenance_end`."""
        return await self._call("POST", "/api/admin/maintenance/end", {200: Maintenance}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_payments(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["held", "all"] | None = None, reason: Literal["no_tag", "unknown_tag", "not_active", "before_start", "after_end", "between_tiers", "below_minimum", "above_wallet_cap", "not_admitted", "below_one_unit", "sold_out", "soft_cap_missed", "cancelled", "change", "operating_funds", "refund_bounced", "late_discovery", "not_a_payment"] | None = None, sort: Literal["oldest", "amount"] | None = None, account: str | None = None, project_id: str | None = None, min_amount_xrp: str | None = None, max_amount_xrp: str | None = None) -> ListPaymentsAnswer:
        """List held payments, or all payments, with the actions that each allows."""
        return await self._call("GET", "/api/admin/payments", {200: ListPaymentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "reason": reason, "sort": sort, "account": account, "project_id": project_id, "min_amount_xrp": min_amount_xrp, "max_amount_xrp": max_amount_xrp})

    async def assign_payment(self, transaction_hash: str, body: AssignPaymentBody, *, idempotency_key: str | None = None) -> Project:
        """Credit a held payment to a project as a published exception, by an action on the ledger."""
        return await self._call("POST", f"/api/admin/payments/{_part(transaction_hash)}/assign", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def refund_payment(self, transaction_hash: str, body: RefundPaymentBody, *, idempotency_key: str | None = None) -> Payment:
        """Refund the held amount of a payment to its sender."""
        return await self._call("POST", f"/api/admin/payments/{_part(transaction_hash)}/refund", {202: Payment}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def refund_payments(self, body: RefundPaymentsBody1 | RefundPaymentsBody2 | RefundPaymentsBody3 | RefundPaymentsBody4 | RefundPaymentsBody5 | RefundPaymentsBody6, *, idempotency_key: str | None = None) -> RefundPaymentsAnswer:
        """Refund the held amount of many payments to their senders; a dry run reports what it would do and writes nothing."""
        return await self._call("POST", "/api/admin/payments/refund", {200: RefundPaymentsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_payouts(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled", "open", "all"] | None = None, kind: Literal["distribution", "refund", "release", "lock", "unlock"] | None = None, reason: str | None = None, project_id: str | None = None, account: str | None = None, destination: str | None = None, overdue: Literal["true", "false"] | None = None) -> ListPayoutsAnswer:
        """List distributions, refunds, releases, locks and unlocks, due longest first, with a summary by status and reason."""
        return await self._call("GET", "/api/admin/payouts", {200: ListPayoutsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "kind": kind, "reason": reason, "project_id": project_id, "account": account, "destination": destination, "overdue": overdue})

    async def get_payout(self, id: str) -> Payout:
        """Get a payout with all its attempts."""
        return await self._call("GET", f"/api/admin/payouts/{_part(id)}", {200: Payout})

    async def act_on_payout(self, id: str, action: Literal["retry", "hold", "release", "settle"], body: ActOnPayoutBody, *, idempotency_key: str | None = None) -> Payout:
        """Retry a waiting payout now, hold one that is not submitted, release one that is held, or settle it with the transaction that paid it."""
        return await self._call("POST", f"/api/admin/payouts/{_part(id)}/{_part(action)}", {200: Payout}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def retry_payouts(self, body: RetryPayoutsBody1 | RetryPayoutsBody2 | RetryPayoutsBody3, *, idempotency_key: str | None = None) -> RetryPayoutsAnswer:
        """Retry waiting payouts now; held, submitted and paid ones are skipped."""
        return await self._call("POST", "/api/admin/payouts/retry", {200: RetryPayoutsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def admin_list_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> AdminListProjectsAnswer:
        """List all projects, drafts included, newest first."""
        return await self._call("GET", "/api/admin/projects", {200: AdminListProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def admin_all_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> AsyncIterator[Project]:
        """Each row of admin_list_projects, page by page, as you take them."""
        while True:
            page = await self.admin_list_projects(cursor=cursor, limit=limit, status=status)
            for row in page.projects:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create_project(self, body: CreateProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Create a project as a draft."""
        return await self._call("POST", "/api/admin/projects", {201: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def admin_get_project(self, id: str) -> Project:
        """Get a project, drafts included."""
        return await self._call("GET", f"/api/admin/projects/{_part(id)}", {200: Project})

    async def patch_project(self, id: str, body: PatchProjectBody) -> Project:
        """Change a draft, or what the terms of a launched project leave open."""
        return await self._call("PATCH", f"/api/admin/projects/{_part(id)}", {200: Project}, body=body)

    async def act_on_project(self, id: str, action: Literal["launch", "pause", "resume", "end", "cancel"], body: ActOnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Launch, pause, resume, end or cancel a sale by a transaction of its deposit account."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/{_part(action)}", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def admin_list_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AdminListAllowlistsAnswer:
        """List all versions of a project’s allowlist, drafts included, newest first."""
        return await self._call("GET", f"/api/admin/projects/{_part(id)}/lists", {200: AdminListAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    async def admin_all_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[AllowList]:
        """Each row of admin_list_allowlists, page by page, as you take them."""
        while True:
            page = await self.admin_list_allowlists(id, cursor=cursor, limit=limit)
            for row in page.lists:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create_allowlist(self, id: str, body: CreateAllowlistBody, *, idempotency_key: str | None = None) -> AllowList:
        """Create a new version of a project’s allowlist as an empty draft."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/lists", {201: AllowList}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def discard_allowlist(self, id: str, list_id: str, *, reason: str | None = None) -> None:
        """Discard an allowlist draft; a published version cannot be discarded."""
        await self._call("DELETE", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}", {204: None}, query={"reason": reason})

    async def commit_allowlist(self, id: str, list_id: str, body: CommitAllowlistBody, *, idempotency_key: str | None = None) -> CommitAllowlistAnswer:
        """Publish an allowlist version and put it in force by a transaction of the deposit account."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}/commit", {202: CommitAllowlistAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def add_allowlist_entries(self, id: str, list_id: str, body: AddAllowlistEntriesBody, *, idempotency_key: str | None = None) -> AddAllowlistEntriesAnswer:
        """Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/lists/{_part(list_id)}/entries", {200: AddAllowlistEntriesAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def create_allowlist_from_platform_ids(self, id: str, body: CreateAllowlistFromPlatformIdsBody, *, idempotency_key: str | None = None) -> CreateAllowlistFromPlatformIdsAnswer:
        """Create a new version of a project’s allowlist from the wallets whose Platform ID has a level."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/lists/from-platform-ids", {200: CreateAllowlistFromPlatformIdsAnswer, 201: CreateAllowlistFromPlatformIdsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_release(self, id: str) -> ReleaseAmounts:
        """Get what a sale has raised, what is releasable to its treasury now, and what must stay."""
        return await self._call("GET", f"/api/admin/projects/{_part(id)}/release", {200: ReleaseAmounts})

    async def release_raised(self, id: str, body: ReleaseRaisedBody, *, idempotency_key: str | None = None) -> ReleaseRaisedAnswer:
        """Release raised XRP to the treasury of the terms; a dry run answers 200 and writes nothing."""
        return await self._call("POST", f"/api/admin/projects/{_part(id)}/release", {200: ReleaseRaisedAnswer, 202: ReleaseRaisedAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_witnesses(self) -> ListWitnessesAnswer:
        """List the witnesses of all accounts with what each says of itself, at most 5 seconds old."""
        return await self._call("GET", "/api/admin/witnesses", {200: ListWitnessesAnswer})

    async def chat_with_assistant(self, body: ChatWithAssistantBody) -> ChatWithAssistantAnswer:
        """Chat with the AI assistant."""
        return await self._call("POST", "/api/ai-agent/chat", {200: ChatWithAssistantAnswer}, body=body)

    async def get_assistant_suggestions(self, *, wallet_address: str | None = None, project_id: str | None = None) -> GetAssistantSuggestionsAnswer:
        """AI suggestions and help."""
        return await self._call("GET", "/api/ai-agent/suggestions", {200: GetAssistantSuggestionsAnswer}, query={"wallet_address": wallet_address, "project_id": project_id})

    async def create_wallet_challenge(self, body: CreateWalletChallengeBody1 | CreateWalletChallengeBody2) -> CreateWalletChallengeAnswer:
        """Create a challenge for a wallet to sign, valid for one try within five minutes."""
        return await self._call("POST", "/api/api-keys/challenge", {201: CreateWalletChallengeAnswer}, body=body)

    async def create_api_key(self, body: CreateApiKeyBody, *, idempotency_key: str | None = None) -> CreateApiKeyAnswer:
        """Create an API key: the wallet’s with a proof, the tenant’s with a key of it, else one of its own. It is shown once, in this answer."""
        return await self._call("POST", "/api/api-keys/create", {201: CreateApiKeyAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_api_keys(self, wallet_address: str, *, cursor: str | None = None, limit: int | None = None) -> ListApiKeysAnswer:
        """List the API keys of a wallet, newest first; names and scopes only for a key of their tenant."""
        return await self._call("GET", f"/api/api-keys/list/{_part(wallet_address)}", {200: ListApiKeysAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_api_keys(self, wallet_address: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListApiKeysRow]:
        """Each row of list_api_keys, page by page, as you take them."""
        while True:
            page = await self.list_api_keys(wallet_address, cursor=cursor, limit=limit)
            for row in page.api_keys:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_proven_api_keys(self, wallet_address: str, body: ListProvenApiKeysBody, *, cursor: str | None = None, limit: int | None = None) -> ListProvenApiKeysAnswer:
        """List a wallet’s own API keys with names and scopes; each page needs a proof."""
        return await self._call("POST", f"/api/api-keys/list/{_part(wallet_address)}", {200: ListProvenApiKeysAnswer}, query={"cursor": cursor, "limit": limit}, body=body)

    async def all_proven_api_keys(self, wallet_address: str, body: ListProvenApiKeysBody, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListProvenApiKeysRow]:
        """Each row of list_proven_api_keys, page by page, as you take them."""
        while True:
            page = await self.list_proven_api_keys(wallet_address, body, cursor=cursor, limit=limit)
            for row in page.api_keys:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def revoke_api_key(self, body: RevokeApiKeyBody1 | RevokeApiKeyBody2) -> RevokeApiKeyAnswer:
        """Revoke an API key, by itself or by its id and a proof of its wallet. Revoking it again gives the same answer."""
        return await self._call("POST", "/api/api-keys/revoke", {200: RevokeApiKeyAnswer}, body=body)

    async def holder_stats(self, *, token: str | None = None, project_id: str | None = None) -> HolderStatsAnswer:
        """Get the holder statistics of the last snapshot."""
        return await self._call("GET", "/api/cron/holder-stats", {200: HolderStatsAnswer}, query={"token": token, "project_id": project_id})

    async def process_payments(self) -> ProcessPaymentsAnswer:
        """Read the ledger, confirm investments, pay out, and wake deliveries: one slice."""
        return await self._call("GET", "/api/cron/process-payments", {200: ProcessPaymentsAnswer})

    async def sync_holders(self) -> SyncHoldersAnswer:
        """Take a snapshot of the holders: one slice, continued by the queue."""
        return await self._call("GET", "/api/cron/sync-holders", {200: SyncHoldersAnswer})

    async def list_events(self, *, cursor: str | None = None, limit: int | None = None, types: str | None = None, project: str | None = None, min_amount_xrp: str | None = None, statuses: str | None = None, since: datetime | str | None = None) -> ListEventsAnswer:
        """List the events that your webhooks could receive, oldest first, to catch up or to poll."""
        return await self._call("GET", "/api/events", {200: ListEventsAnswer}, query={"cursor": cursor, "limit": limit, "types": types, "project": project, "min_amount_xrp": min_amount_xrp, "statuses": statuses, "since": since})

    async def all_events(self, *, cursor: str | None = None, limit: int | None = None, types: str | None = None, project: str | None = None, min_amount_xrp: str | None = None, statuses: str | None = None, since: datetime | str | None = None) -> AsyncIterator[WebhookEvent]:
        """Each row of list_events, page by page, as you take them."""
        while True:
            page = await self.list_events(cursor=cursor, limit=limit, types=types, project=project, min_amount_xrp=min_amount_xrp, statuses=statuses, since=since)
            for row in page.events:
                yield row
            cursor = page.next_cursor
            if cursor is None or not page.has_more:
                return

    async def get_event(self, id: str) -> WebhookEvent:
        """Get an event, as your webhooks could receive it."""
        return await self._call("GET", f"/api/events/{_part(id)}", {200: WebhookEvent})

    async def list_holders(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> ListHoldersAnswer:
        """List the holders of a token in the last snapshot, largest first."""
        return await self._call("GET", "/api/holders", {200: ListHoldersAnswer}, query={"token": token, "project_id": project_id, "cursor": cursor, "limit": limit})

    async def all_holders(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[Holder]:
        """Each row of list_holders, page by page, as you take them."""
        while True:
            page = await self.list_holders(token=token, project_id=project_id, cursor=cursor, limit=limit)
            for row in page.holders:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_holder_snapshots(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> ListHolderSnapshotsAnswer:
        """List the holder statistics of every snapshot, newest first."""
        return await self._call("GET", "/api/holders/history", {200: ListHolderSnapshotsAnswer}, query={"token": token, "project_id": project_id, "cursor": cursor, "limit": limit})

    async def all_holder_snapshots(self, *, token: str | None = None, project_id: str | None = None, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[HolderSnapshot]:
        """Each row of list_holder_snapshots, page by page, as you take them."""
        while True:
            page = await self.list_holder_snapshots(token=token, project_id=project_id, cursor=cursor, limit=limit)
            for row in page.snapshots:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_investments(self, *, cursor: str | None = None, limit: int | None = None, wallet_address: str, project_id: str | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListInvestmentsAnswer:
        """List the investments of a wallet, newest first."""
        return await self._call("GET", "/api/investments", {200: ListInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "wallet_address": wallet_address, "project_id": project_id, "status": status})

    async def all_investments(self, *, cursor: str | None = None, limit: int | None = None, wallet_address: str, project_id: str | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> AsyncIterator[Investment]:
        """Each row of list_investments, page by page, as you take them."""
        while True:
            page = await self.list_investments(cursor=cursor, limit=limit, wallet_address=wallet_address, project_id=project_id, status=status)
            for row in page.investments:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_investment(self, id: str) -> Investment:
        """Get an investment with its allocation, payouts and refunds."""
        return await self._call("GET", f"/api/investments/{_part(id)}", {200: Investment})

    async def get_openapi(self) -> GetOpenapiAnswer:
        """Get this API as an OpenAPI 3.1 document."""
        return await self._call("GET", "/api/openapi.json", {200: GetOpenapiAnswer})

    async def list_own_audit(self, *, cursor: str | None = None, limit: int | None = None) -> ListOwnAuditAnswer:
        """List what members of the tenant did, and what administrators did to its sales, newest first."""
        return await self._call("GET", "/api/owner/audit", {200: ListOwnAuditAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_own_audit(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[AuditEntry]:
        """Each row of list_own_audit, page by page, as you take them."""
        while True:
            page = await self.list_own_audit(cursor=cursor, limit=limit)
            for row in page.entries:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_invitations(self) -> ListInvitationsAnswer:
        """List the open invitations of the tenant, oldest first."""
        return await self._call("GET", "/api/owner/invitations", {200: ListInvitationsAnswer})

    async def invite_member(self, body: InviteMemberBody, *, idempotency_key: str | None = None) -> Invitation:
        """Invite a wallet, for 7 days. Inviting it again replaces the invitation."""
        return await self._call("POST", "/api/owner/invitations", {201: Invitation}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def withdraw_invitation(self, invitation_id: str) -> None:
        """Withdraw an invitation."""
        await self._call("DELETE", f"/api/owner/invitations/{_part(invitation_id)}", {204: None})

    async def get_me(self) -> GetMeAnswer:
        """Get who is signed in, the wallet’s memberships and its open invitations."""
        return await self._call("GET", "/api/owner/me", {200: GetMeAnswer})

    async def leave_tenant(self) -> None:
        """End your own membership, and at once every session of it."""
        await self._call("DELETE", "/api/owner/me", {204: None})

    async def list_members(self) -> ListMembersAnswer:
        """List the members of the tenant, oldest first."""
        return await self._call("GET", "/api/owner/members", {200: ListMembersAnswer})

    async def change_member(self, member_id: str, body: ChangeMemberBody) -> Member:
        """Change the role of a member; it holds from their next request on."""
        return await self._call("PATCH", f"/api/owner/members/{_part(member_id)}", {200: Member}, body=body)

    async def remove_member(self, member_id: str) -> None:
        """End a membership, and at once every session of it."""
        await self._call("DELETE", f"/api/owner/members/{_part(member_id)}", {204: None})

    async def list_own_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> ListOwnProjectsAnswer:
        """List the tenant’s sales, drafts included, newest first."""
        return await self._call("GET", "/api/owner/projects", {200: ListOwnProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def all_own_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["draft", "active", "paused", "completed", "cancelled"] | None = None) -> AsyncIterator[Project]:
        """Each row of list_own_projects, page by page, as you take them."""
        while True:
            page = await self.list_own_projects(cursor=cursor, limit=limit, status=status)
            for row in page.projects:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create_own_project(self, body: CreateOwnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Create a sale of the tenant as a draft."""
        return await self._call("POST", "/api/owner/projects", {201: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_own_project(self, id: str) -> Project:
        """Get one of the tenant’s sales, drafts included."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}", {200: Project})

    async def patch_own_project(self, id: str, body: PatchOwnProjectBody) -> Project:
        """Change a draft of the tenant, or what the terms of a launched sale leave open."""
        return await self._call("PATCH", f"/api/owner/projects/{_part(id)}", {200: Project}, body=body)

    async def delete_own_draft(self, id: str, *, reason: str | None = None) -> None:
        """Delete a draft of the tenant; its destination tag is never used again."""
        await self._call("DELETE", f"/api/owner/projects/{_part(id)}", {204: None}, query={"reason": reason})

    async def act_on_own_project(self, id: str, action: Literal["pause", "resume", "end"], body: ActOnOwnProjectBody, *, idempotency_key: str | None = None) -> Project:
        """Pause, resume or end one of the tenant’s sales by a transaction of its deposit account."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/{_part(action)}", {202: Project}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_own_approvals(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None) -> ListOwnApprovalsAnswer:
        """List the requests for approval of one of the tenant’s sales, newest first."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/approvals", {200: ListOwnApprovalsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def all_own_approvals(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["open", "approved", "refused", "withdrawn", "lapsed"] | None = None) -> AsyncIterator[Approval]:
        """Each row of list_own_approvals, page by page, as you take them."""
        while True:
            page = await self.list_own_approvals(id, cursor=cursor, limit=limit, status=status)
            for row in page.approvals:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def ask_for_own_approval(self, id: str, body: AskForOwnApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Ask an administrator to approve the launch of one of the tenant’s sales, or a release to its treasury."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/approvals", {201: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def withdraw_own_approval(self, id: str, approval_id: str, body: WithdrawOwnApprovalBody, *, idempotency_key: str | None = None) -> Approval:
        """Withdraw a request for approval that the tenant made."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/approvals/{_part(approval_id)}/withdraw", {200: Approval}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_own_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListOwnInvestmentsAnswer:
        """List the investments in one of the tenant’s sales, newest first."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/investments", {200: ListOwnInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def all_own_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> AsyncIterator[Investment]:
        """Each row of list_own_investments, page by page, as you take them."""
        while True:
            page = await self.list_own_investments(id, cursor=cursor, limit=limit, status=status)
            for row in page.investments:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_own_investors(self, id: str, *, search: str | None = None, cursor: str | None = None) -> ListOwnInvestorsAnswer:
        """List the wallets that bought in one of the tenant’s sales, those that invested most first."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/investors", {200: ListOwnInvestorsAnswer}, query={"search": search, "cursor": cursor})

    async def all_own_investors(self, id: str, *, search: str | None = None, cursor: str | None = None) -> AsyncIterator[ListOwnInvestorsRow]:
        """Each row of list_own_investors, page by page, as you take them."""
        while True:
            page = await self.list_own_investors(id, search=search, cursor=cursor)
            for row in page.investors:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_own_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListOwnAllowlistsAnswer:
        """List all versions of the allowlist of one of the tenant’s sales, drafts included, newest first."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/lists", {200: ListOwnAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_own_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[AllowList]:
        """Each row of list_own_allowlists, page by page, as you take them."""
        while True:
            page = await self.list_own_allowlists(id, cursor=cursor, limit=limit)
            for row in page.lists:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create_own_allowlist(self, id: str, body: CreateOwnAllowlistBody, *, idempotency_key: str | None = None) -> AllowList:
        """Create a new version of a project’s allowlist as an empty draft."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/lists", {201: AllowList}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def discard_own_allowlist(self, id: str, list_id: str, *, reason: str | None = None) -> None:
        """Discard an allowlist draft; a published version cannot be discarded."""
        await self._call("DELETE", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}", {204: None}, query={"reason": reason})

    async def commit_own_allowlist(self, id: str, list_id: str, body: CommitOwnAllowlistBody, *, idempotency_key: str | None = None) -> CommitOwnAllowlistAnswer:
        """Publish an allowlist version and put it in force by a transaction of the deposit account."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}/commit", {202: CommitOwnAllowlistAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def add_own_allowlist_entries(self, id: str, list_id: str, body: AddOwnAllowlistEntriesBody, *, idempotency_key: str | None = None) -> AddOwnAllowlistEntriesAnswer:
        """Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/lists/{_part(list_id)}/entries", {200: AddOwnAllowlistEntriesAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def create_own_allowlist_from_platform_ids(self, id: str, body: CreateOwnAllowlistFromPlatformIdsBody, *, idempotency_key: str | None = None) -> CreateOwnAllowlistFromPlatformIdsAnswer:
        """Create a new version of a project’s allowlist from the wallets whose Platform ID has a level."""
        return await self._call("POST", f"/api/owner/projects/{_part(id)}/lists/from-platform-ids", {200: CreateOwnAllowlistFromPlatformIdsAnswer, 201: CreateOwnAllowlistFromPlatformIdsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_own_payments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["held", "all"] | None = None, reason: Literal["no_tag", "unknown_tag", "not_active", "before_start", "after_end", "between_tiers", "below_minimum", "above_wallet_cap", "not_admitted", "below_one_unit", "sold_out", "soft_cap_missed", "cancelled", "change", "operating_funds", "refund_bounced", "late_discovery", "not_a_payment"] | None = None, sort: Literal["oldest", "amount"] | None = None, min_amount_xrp: str | None = None, max_amount_xrp: str | None = None) -> ListOwnPaymentsAnswer:
        """List the payments to one of the tenant’s sales, or those that are held, in ledger order."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/payments", {200: ListOwnPaymentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "reason": reason, "sort": sort, "min_amount_xrp": min_amount_xrp, "max_amount_xrp": max_amount_xrp})

    async def list_own_payouts(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["scheduled", "waiting_holder", "ready", "submitted", "validated", "held", "cancelled", "open", "all"] | None = None, kind: Literal["distribution", "refund", "release", "lock", "unlock"] | None = None, reason: str | None = None, account: str | None = None, destination: str | None = None, overdue: Literal["true", "false"] | None = None) -> ListOwnPayoutsAnswer:
        """List the distributions, refunds, releases and locks of one of the tenant’s sales, due longest first, with a summary."""
        return await self._call("GET", f"/api/owner/projects/{_part(id)}/payouts", {200: ListOwnPayoutsAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "kind": kind, "reason": reason, "account": account, "destination": destination, "overdue": overdue})

    async def list_sessions(self) -> ListSessionsAnswer:
        """List your own sessions that last, newest first."""
        return await self._call("GET", "/api/owner/sessions", {200: ListSessionsAnswer})

    async def sign_in(self, body: SignInBody) -> SignInAnswer:
        """Sign in as a member by a wallet proof for the action `sign_in`, for 8 hours. The token is shown once, in this answer."""
        return await self._call("POST", "/api/owner/sessions", {201: SignInAnswer}, body=body)

    async def end_session(self, session_id: str) -> None:
        """End one of your own sessions at once; the one that asks signs out."""
        await self._call("DELETE", f"/api/owner/sessions/{_part(session_id)}", {204: None})

    async def list_own_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> ListOwnWebhooksAnswer:
        """List the webhooks of the tenant, newest first; its API keys change them."""
        return await self._call("GET", "/api/owner/webhooks", {200: ListOwnWebhooksAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_own_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListOwnWebhooksRow]:
        """Each row of list_own_webhooks, page by page, as you take them."""
        while True:
            page = await self.list_own_webhooks(cursor=cursor, limit=limit)
            for row in page.webhooks:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_own_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> ListOwnDeliveriesAnswer:
        """List the deliveries of one of the tenant’s webhooks, newest first."""
        return await self._call("GET", f"/api/owner/webhooks/{_part(webhook_id)}/deliveries", {200: ListOwnDeliveriesAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "event_type": event_type, "from": from_, "to": to})

    async def all_own_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> AsyncIterator[ListOwnDeliveriesRow]:
        """Each row of list_own_deliveries, page by page, as you take them."""
        while True:
            page = await self.list_own_deliveries(webhook_id, cursor=cursor, limit=limit, status=status, event_type=event_type, from_=from_, to=to)
            for row in page.deliveries:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def generate_platform_id(self, body: GeneratePlatformIdBody) -> GeneratePlatformIdAnswer:
        """Create a wallet’s Platform ID (201) or get the one that it has (200); set its display name with a proof."""
        return await self._call("POST", "/api/platform-id/generate", {200: GeneratePlatformIdAnswer, 201: GeneratePlatformIdAnswer}, body=body)

    async def get_platform_id_profile(self, wallet_address: str) -> GetPlatformIdProfileAnswer:
        """Get the profile of a wallet with a Platform ID: level, holdings, badges, investments."""
        return await self._call("GET", f"/api/platform-id/profile/{_part(wallet_address)}", {200: GetPlatformIdProfileAnswer})

    async def get_platform_id_status(self, wallet_address: str) -> GetPlatformIdStatusAnswer:
        """Get whether a wallet has a Platform ID or can have one; if not, why, and what to do."""
        return await self._call("GET", f"/api/platform-id/status/{_part(wallet_address)}", {200: GetPlatformIdStatusAnswer})

    async def list_portal_links(self, *, cursor: str | None = None, limit: int | None = None) -> ListPortalLinksAnswer:
        """List the portal links of the key’s tenant, newest first."""
        return await self._call("GET", "/api/portal-links", {200: ListPortalLinksAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_portal_links(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListPortalLinksRow]:
        """Each row of list_portal_links, page by page, as you take them."""
        while True:
            page = await self.list_portal_links(cursor=cursor, limit=limit)
            for row in page.portal_links:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def create_portal_link(self, body: CreatePortalLinkBody, *, idempotency_key: str | None = None) -> CreatePortalLinkAnswer:
        """Create a link to the webhook portal, good for one opening within five minutes. It is shown once, in this answer."""
        return await self._call("POST", "/api/portal-links", {201: CreatePortalLinkAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_portal_link(self, id: str) -> GetPortalLinkAnswer:
        """Get a portal link with what was done by it."""
        return await self._call("GET", f"/api/portal-links/{_part(id)}", {200: GetPortalLinkAnswer})

    async def end_portal_link(self, id: str) -> EndPortalLinkAnswer:
        """End a portal link, and at once what was opened by it. Ending it again gives the same answer."""
        return await self._call("DELETE", f"/api/portal-links/{_part(id)}", {200: EndPortalLinkAnswer})

    async def open_portal_link(self, body: OpenPortalLinkBody) -> OpenPortalLinkAnswer:
        """Open a portal link: exchange its token, once, for that of a session. The page of the portal does this."""
        return await self._call("POST", "/api/portal-sessions", {201: OpenPortalLinkAnswer}, body=body)

    async def list_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["active", "paused", "completed", "cancelled"] | None = None) -> ListProjectsAnswer:
        """List launched projects, newest first."""
        return await self._call("GET", "/api/projects", {200: ListProjectsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def all_projects(self, *, cursor: str | None = None, limit: int | None = None, status: Literal["active", "paused", "completed", "cancelled"] | None = None) -> AsyncIterator[Project]:
        """Each row of list_projects, page by page, as you take them."""
        while True:
            page = await self.list_projects(cursor=cursor, limit=limit, status=status)
            for row in page.projects:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_project(self, id: str) -> Project:
        """Get a project with its tiers and progress."""
        return await self._call("GET", f"/api/projects/{_part(id)}", {200: Project})

    async def list_exceptions(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListExceptionsAnswer:
        """List the exceptions of a sale: assigned payments, late discoveries and operators’ refunds, newest first."""
        return await self._call("GET", f"/api/projects/{_part(id)}/exceptions", {200: ListExceptionsAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_exceptions(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[SaleException1 | SaleException2 | SaleException3 | SaleException4]:
        """Each row of list_exceptions, page by page, as you take them."""
        while True:
            page = await self.list_exceptions(id, cursor=cursor, limit=limit)
            for row in page.exceptions:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_raised_history(self, id: str) -> GetRaisedHistoryAnswer:
        """Get what a sale has raised over time, in at most 96 steps."""
        return await self._call("GET", f"/api/projects/{_part(id)}/history", {200: GetRaisedHistoryAnswer})

    async def list_project_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> ListProjectInvestmentsAnswer:
        """List the investments in a sale, newest first."""
        return await self._call("GET", f"/api/projects/{_part(id)}/investments", {200: ListProjectInvestmentsAnswer}, query={"cursor": cursor, "limit": limit, "status": status})

    async def all_project_investments(self, id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending_confirmation", "confirmed", "failed"] | None = None) -> AsyncIterator[Investment]:
        """Each row of list_project_investments, page by page, as you take them."""
        while True:
            page = await self.list_project_investments(id, cursor=cursor, limit=limit, status=status)
            for row in page.investments:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def list_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> ListAllowlistsAnswer:
        """List the published versions of a project’s allowlist, newest first."""
        return await self._call("GET", f"/api/projects/{_part(id)}/lists", {200: ListAllowlistsAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_allowlists(self, id: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[AllowList]:
        """Each row of list_allowlists, page by page, as you take them."""
        while True:
            page = await self.list_allowlists(id, cursor=cursor, limit=limit)
            for row in page.lists:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def quote_investment(self, id: str, *, amount_xrp: str, wallet_address: str | None = None) -> QuoteInvestmentAnswer:
        """Quote a payment: what an amount would buy now, tier by tier, and what would be refunded."""
        return await self._call("GET", f"/api/projects/{_part(id)}/quote", {200: QuoteInvestmentAnswer}, query={"amount_xrp": amount_xrp, "wallet_address": wallet_address})

    async def get_terms(self, id: str) -> GetTermsAnswer:
        """Get the terms of a sale as canonical JSON, with their SHA-256 and the launch that anchors them."""
        return await self._call("GET", f"/api/projects/{_part(id)}/terms", {200: GetTermsAnswer})

    async def get_project_token(self, id: str) -> GetProjectTokenAnswer:
        """Get what the issuer can still do with the token, read from the ledger now."""
        return await self._call("GET", f"/api/projects/{_part(id)}/token", {200: GetProjectTokenAnswer})

    async def get_verification(self, id: str) -> GetVerificationAnswer:
        """Get what anyone needs to verify a sale, and the result of the platform’s last verification."""
        return await self._call("GET", f"/api/projects/{_part(id)}/verification", {200: GetVerificationAnswer})

    async def continue_job(self, body: ContinueJobBody) -> ContinueJobAnswer:
        """QStash callback: the next slice of background work."""
        return await self._call("POST", "/api/queue/continue", {200: ContinueJobAnswer}, body=body)

    async def attempt_delivery(self, body: AttemptDeliveryBody) -> AttemptDeliveryAnswer:
        """QStash callback: make one attempt of a delivery."""
        return await self._call("POST", "/api/queue/deliver", {200: AttemptDeliveryAnswer}, body=body)

    async def issue_tokens(self, body: IssueTokensBody1 | IssueTokensBody2, *, idempotency_key: str | None = None) -> IssueTokensAnswer:
        """Pay out due tokens now, chosen by sale or by investment."""
        return await self._call("POST", "/api/system/issue-tokens", {200: IssueTokensAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def process_transactions(self, body: ProcessTransactionsBody1 | ProcessTransactionsBody2, *, idempotency_key: str | None = None) -> ProcessTransactionsAnswer:
        """Read given transactions or ledgers again, compare them with the records, and write the missing ones."""
        return await self._call("POST", "/api/system/process-transactions", {200: ProcessTransactionsAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_system_status(self) -> SystemStatus:
        """Real-time system health and metrics."""
        return await self._call("GET", "/api/system/status", {200: SystemStatus})

    async def trustline_monitor(self) -> TrustlineMonitorAnswer:
        """Check every holder with a due distribution, and the health of every paying account."""
        return await self._call("GET", "/api/system/trustline-monitor", {200: TrustlineMonitorAnswer})

    async def list_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> ListWebhooksAnswer:
        """List webhooks, newest first."""
        return await self._call("GET", "/api/webhooks", {200: ListWebhooksAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListWebhooksRow]:
        """Each row of list_webhooks, page by page, as you take them."""
        while True:
            page = await self.list_webhooks(cursor=cursor, limit=limit)
            for row in page.webhooks:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_webhook(self, id: str) -> GetWebhookAnswer:
        """Get a webhook."""
        return await self._call("GET", f"/api/webhooks/{_part(id)}", {200: GetWebhookAnswer})

    async def update_webhook(self, id: str, body: UpdateWebhookBody) -> UpdateWebhookAnswer:
        """Update a webhook. Fields left out stay as they are."""
        return await self._call("PATCH", f"/api/webhooks/{_part(id)}", {200: UpdateWebhookAnswer}, body=body)

    async def delete_webhook(self, id: str) -> DeleteWebhookAnswer:
        """Delete a webhook. Its waiting deliveries are cancelled."""
        return await self._call("DELETE", f"/api/webhooks/{_part(id)}", {200: DeleteWebhookAnswer})

    async def list_event_types(self) -> ListEventTypesAnswer:
        """List the event types with an example of each."""
        return await self._call("GET", "/api/webhooks/event-types", {200: ListEventTypesAnswer})

    async def register_webhook(self, body: RegisterWebhookBody, *, idempotency_key: str | None = None) -> RegisterWebhookAnswer:
        """Register a webhook. Its signing secret is shown once, in this answer."""
        return await self._call("POST", "/webhooks", {201: RegisterWebhookAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def list_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> ListDeliveriesAnswer:
        """List the deliveries of a webhook, newest first."""
        return await self._call("GET", f"/webhooks/{_part(webhook_id)}/deliveries", {200: ListDeliveriesAnswer}, query={"cursor": cursor, "limit": limit, "status": status, "event_type": event_type, "from": from_, "to": to})

    async def all_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None, status: Literal["pending", "retrying", "success", "failed", "cancelled"] | None = None, event_type: Literal["investment.created", "investment.confirmed", "investment.failed", "investment.tokens_distributed", "investment.refunded", "project.launched", "project.tier_completed", "project.milestone_reached", "project.sale_ended", "project.cancelled", "system.maintenance_start", "system.maintenance_end", "system.network_status", "system.webhook_disabled", "system.delivery_failed", "system.alert"] | None = None, from_: datetime | str | None = None, to: datetime | str | None = None) -> AsyncIterator[ListDeliveriesRow]:
        """Each row of list_deliveries, page by page, as you take them."""
        while True:
            page = await self.list_deliveries(webhook_id, cursor=cursor, limit=limit, status=status, event_type=event_type, from_=from_, to=to)
            for row in page.deliveries:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def get_delivery(self, webhook_id: str, delivery_id: str) -> GetDeliveryAnswer:
        """Get a delivery: what was sent, and each attempt with its answer."""
        return await self._call("GET", f"/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}", {200: GetDeliveryAnswer})

    async def resend_delivery(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> ResendDeliveryAnswer:
        """Resend the event of an ended delivery as a new delivery with the same bytes."""
        return await self._call("POST", f"/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}/resend", {202: ResendDeliveryAnswer}, idempotent=True, idempotency_key=idempotency_key)

    async def list_replays(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None) -> ListReplaysAnswer:
        """List the replays of a webhook, newest first."""
        return await self._call("GET", f"/webhooks/{_part(webhook_id)}/replays", {200: ListReplaysAnswer}, query={"cursor": cursor, "limit": limit})

    async def all_replays(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None) -> AsyncIterator[ListReplaysRow]:
        """Each row of list_replays, page by page, as you take them."""
        while True:
            page = await self.list_replays(webhook_id, cursor=cursor, limit=limit)
            for row in page.replays:
                yield row
            cursor = page.next_cursor
            if cursor is None:
                return

    async def start_replay(self, webhook_id: str, body: StartReplayBody, *, idempotency_key: str | None = None) -> StartReplayAnswer | StartReplayAnswer202:
        """Replay the events of a time range, at a low rate beside live events. Count them first with `dry_run`."""
        return await self._call("POST", f"/webhooks/{_part(webhook_id)}/replays", {200: StartReplayAnswer, 202: StartReplayAnswer202}, body=body, idempotent=True, idempotency_key=idempotency_key)

    async def get_replay(self, webhook_id: str, replay_id: str) -> GetReplayAnswer:
        """Get the progress of a replay."""
        return await self._call("GET", f"/webhooks/{_part(webhook_id)}/replays/{_part(replay_id)}", {200: GetReplayAnswer})

    async def cancel_replay(self, webhook_id: str, replay_id: str, *, idempotency_key: str | None = None) -> CancelReplayAnswer:
        """Cancel a replay: no more deliveries are created, and its unfinished ones are cancelled."""
        return await self._call("POST", f"/webhooks/{_part(webhook_id)}/replays/{_part(replay_id)}/cancel", {200: CancelReplayAnswer}, idempotent=True, idempotency_key=idempotency_key)

    async def rotate_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> RotateWebhookSecretAnswer:
        """Start a rotation of the signing secret. The new secret is shown once, in this answer."""
        return await self._call("POST", f"/webhooks/{_part(webhook_id)}/rotate-secret", {200: RotateWebhookSecretAnswer}, idempotent=True, idempotency_key=idempotency_key)

    async def cancel_webhook_secret_rotation(self, webhook_id: str) -> CancelWebhookSecretRotationAnswer:
        """Cancel the rotation: the old secret stays."""
        return await self._call("DELETE", f"/webhooks/{_part(webhook_id)}/rotate-secret", {200: CancelWebhookSecretRotationAnswer})

    async def commit_webhook_secret_rotation(self, webhook_id: str, *, idempotency_key: str | None = None) -> CommitWebhookSecretRotationAnswer:
        """Commit the rotation: only the new secret remains."""
        return await self._call("POST", f"/webhooks/{_part(webhook_id)}/rotate-secret/commit", {200: CommitWebhookSecretRotationAnswer}, idempotent=True, idempotency_key=idempotency_key)

    async def get_delivery_statistics(self, webhook_id: str, *, period: Literal["hour", "day", "week"] | None = None) -> GetDeliveryStatisticsAnswer:
        """Get the deliveries of a webhook over time, by outcome, with their latency."""
        return await self._call("GET", f"/webhooks/{_part(webhook_id)}/statistics", {200: GetDeliveryStatisticsAnswer}, query={"period": period})

    async def send_test_event(self, body: SendTestEventBody, *, idempotency_key: str | None = None) -> SendTestEventAnswer:
        """Send a test event once, now, and get the receiver’s answer."""
        return await self._call("POST", "/webhooks/test", {200: SendTestEventAnswer}, body=body, idempotent=True, idempotency_key=idempotency_key)
