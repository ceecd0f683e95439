// Made by oazapfts from the OpenAPI document: npx tranche generate. Not for changes by hand.
// @ts-nocheck
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    thisDeployment: "/"
};
export type DepositAccount = {
    address: string;
    network_id: number;
    /** Nothing is read, confirmed or paid out while halted; claims do not change */
    halted: boolean;
    /** The feed starts after this ledger */
    registered_ledger: number;
    /** Every payment up to this ledger is recorded */
    cursor_ledger: number;
    /** Everything up to this ledger is decided for good */
    confirmed_ledger: number;
    /** The newest on the ledger; null while no server answers */
    validated_ledger: number | null;
    /** Ledgers validated and not yet read */
    lag: number | null;
    /** Recorded balance: what must be on the account by all recorded changes */
    recorded_balance_xrp: string | null;
    /** Balance on the ledger minus the recorded balance; any value but 0.000000 means that a change was missed */
    difference_xrp: string;
    /** The last ledger where the two were compared */
    reconciled_ledger: number | null;
    /** Held of payments, waiting for a person */
    held_xrp: string;
    /** Unpaid refunds: not yet validated on the ledger */
    unpaid_refunds_xrp: string;
    /** Fees that the account has paid since its registration; fees of distributors are not included */
    fees_xrp: string;
    /** Who must sign what the account sends, for sales that are launched now; null: one key */
    custody: {
        quorum: number;
        platform: {
            account: string;
            weight: number;
        };
        witnesses: {
            account: string;
            weight: number;
            name: string;
            operator: string;
        }[];
        ledgers_to_live: number;
        from_ledger: number;
        refund_min_xrp: string;
    } | null;
    /** Of them, for refunds and releases, failed attempts included */
    payout_fees_xrp: string;
};
export type Problem = {
    /** The page that explains the code */
    "type": string;
    title: string;
    status: number;
    detail: string;
    code: "invalid_request" | "malformed_json" | "unauthorized" | "forbidden" | "approval_required" | "not_eligible" | "invalid_proof" | "not_found" | "project_not_found" | "investment_not_found" | "webhook_not_found" | "platform_id_not_found" | "method_not_allowed" | "conflict" | "transition_not_allowed" | "launch_not_ready" | "limit_reached" | "idempotency_key_in_use" | "gone" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "service_unavailable" | "ledger_unavailable";
    /** Quote it when you contact support */
    request_id: string;
    /** One entry a faulty field, for invalid_request */
    errors?: {
        field: string;
        message: string;
    }[];
};
export type Approval = {
    /** Approval id */
    id: string;
    /** Project id */
    project_id: string;
    project_name: string;
    action: "launch" | "release";
    /** `lapsed`: what it names has changed, or nobody decided it in time. Only an `open` one can be decided */
    status: "open" | "approved" | "refused" | "withdrawn" | "lapsed";
    requested_by: {
        kind: "administrator" | "member";
        /** An administrator’s name, or a member’s wallet */
        name: string;
        /** The tenant of a member */
        tenant_id: string | null;
    };
    /** Why it was asked for */
    reason: string;
    /** What a launch would do; null for another action */
    launch: {
        /** SHA-256 of the terms that the launch would anchor: no others */
        terms_hash: string;
        /** These terms, as canonical JSON */
        canonical: string;
    } | null;
    /** What a release would pay, and to whom; null for another action */
    release: {
        destination: string;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
    } | null;
    /** ISO 8601 UTC */
    created_at: string;
    /** Undecided until then, it lapses */
    expires_at: string;
    closed_at: string | null;
    /** Who approved, refused or withdrew it */
    closed_by: {
        kind: "administrator" | "member";
        /** An administrator’s name, or a member’s wallet */
        name: string;
    } | null;
    /** Why, or why it lapsed */
    closed_reason: string | null;
    /** Of the approved launch */
    transaction_hash: string | null;
    /** Of the approved release */
    payout_id: string | null;
};
export type AuditEntry = {
    id: string;
    /** ISO 8601 UTC */
    created_at: string;
    /** Who did it, by kind and name; to members administrators are shown as `administrator` */
    actor: string;
    /** What was done, as family.verb */
    action: string;
    /** What it was done to */
    subject: string;
    reason: string;
    /** What stood before, or what was asked for; null where there is nothing */
    before: any;
    /** What stands since; null where there is nothing */
    after: any;
    /** The `X-Request-Id` of the answer, and of the lines in the log */
    request_id: string;
};
export type Job = {
    name: string;
    /** What its cron calls; null for work without a cron */
    path: string | null;
    /** Between two calls of its cron */
    every_seconds: number | null;
    /** `broken_off`: it began and neither ended nor holds its lease any more; the next run takes it up */
    state: "never" | "idle" | "running" | "broken_off";
    /** True when its cron has not begun it for too long; null without a cron, or before its first run */
    late: boolean | null;
    last_started_at: string | null;
    last_finished_at: string | null;
    /** The run that holds its lease */
    holder: string | null;
    leased_until: string | null;
    /** The number of its newest slice, over all its runs */
    slice: number;
    /** What went wrong last, within the past seven days */
    last_fault: {
        /** ISO 8601 UTC */
        at: string;
        what: string;
    } | null;
    /** The last slice that took longer than its time budget, within the past seven days */
    last_overrun: {
        /** ISO 8601 UTC */
        at: string;
        took_ms: number;
    } | null;
};
export type Maintenance = {
    id: string;
    message: string;
    /** ISO 8601 UTC */
    started_at: string;
    /** Name of the administrator */
    started_by: string;
    expected_end_at: string | null;
    ended_at: string | null;
    ended_by: string | null;
};
export type Payment = {
    transaction_hash: string;
    /** `Payment`, or by what the XRP arrived otherwise */
    transaction_type: string;
    ledger_index: number;
    /** ISO 8601 UTC */
    closed_at: string;
    /** Since the ledger of the payment closed */
    age_seconds: number;
    /** The deposit account that received it */
    account: string;
    sender: string;
    destination_tag: number | null;
    source_tag: number | null;
    project_id: string | null;
    outcome: "pending" | "invested" | "partial" | "refunded" | "held";
    reason: string | null;
    /** XRP, a decimal string with exactly six fractional digits */
    received_xrp: string;
    /** XRP, a decimal string with exactly six fractional digits */
    invested_xrp: string;
    /** XRP, a decimal string with exactly six fractional digits */
    refunded_xrp: string;
    /** XRP, a decimal string with exactly six fractional digits */
    held_xrp: string;
    /** It may be credited to a project of the same deposit account */
    assignable: boolean;
    not_assignable_reason: string | null;
    /** What is held may be sent back */
    refundable: boolean;
    not_refundable_reason: string | null;
    pending_assign: {
        /** Project id */
        project_id: string;
        transaction_hash: string;
    } | null;
    refunds: {
        id: string;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        destination_tag: number | null;
        status: string;
        reason: string | null;
        transaction_hash: string | null;
    }[];
};
export type Project = {
    /** Project id */
    id: string;
    name: string;
    slug: string;
    description: string;
    website: string | null;
    logo: string | null;
    links: {
        label: string;
        url: string;
    }[];
    team: {
        name: string;
        role: string;
        url: string | null;
    }[];
    documents: {
        title: string;
        url: string;
        /** SHA-256 of the file, as the operator gave it */
        sha256: string | null;
    }[];
    status: "draft" | "active" | "paused" | "completed" | "cancelled";
    token: {
        kind: "iou";
        currency: string;
        /** Ledger account address */
        issuer: string;
        decimals: number;
    } | {
        kind: "mpt";
        issuance_id: string;
        decimals: number;
    };
    /** Ledger account address */
    distributor: string;
    /** Ledger account address */
    deposit_address: string;
    destination_tag: number;
    tiers: {
        tier: number;
        /** XRP for one token, a decimal string */
        price_per_token: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        total_tokens: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        sold_tokens: string;
        access: "open" | "allowlist";
        /** The credential that a buyer must hold, of any of its issuers; null when none is required */
        credential: {
            /** The type as text; null when it is no plain text */
            "type": string | null;
            credential_type: string;
            issuers: string[];
        } | null;
        starts_at: string | null;
        completed_at: string | null;
    }[];
    starts_at: string | null;
    ends_at: string | null;
    soft_cap_xrp: string | null;
    min_investment_xrp: string | null;
    max_per_wallet_xrp: string | null;
    access: "open" | "allowlist";
    distribution: "immediate" | "at_end";
    vesting: {
        immediate_bps: number;
        cliff_days: number;
        period_days: number;
        periods: number;
    };
    treasury: string | null;
    claim_days: number;
    /** Minimum refund of change; less is kept and shown as rounding */
    refund_min_xrp: string;
    progress: {
        tiers_completed: number;
        total_tiers: number;
        /** Total invested, later refunds included */
        total_raised_xrp: string;
        /** XRP of investments that the cancellation of the sale ended, refunded or held; total_raised_xrp minus this is still invested */
        cancelled_xrp: string;
        progress_percentage: number;
        total_investors: number;
    };
    /** Who must sign what the paying accounts send, as in the terms; null when one key signs */
    custody: {
        quorum: number;
        platform: {
            account: string;
            weight: number;
        };
        witnesses: {
            account: string;
            weight: number;
            name: string;
            operator: string;
        }[];
        ledgers_to_live: number;
        from_ledger: number;
        refund_min_xrp: string;
    } | null;
    /** Last ledger of the sale’s custody period: after it the accounts are under other signers, and the tag names no sale; null while it lasts */
    custody_through_ledger: number | null;
    /** Tokens that cannot move before a time, as in the terms. A launch is refused until the escrows of each lock its amount */
    locks: {
        /** Whose tokens they are, for investors */
        label: string;
        /** Destination of every escrow of the lock */
        receiver: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        amount: string;
        /** ISO 8601 UTC */
        until: string;
        /** The EscrowCreate transactions that prove it: together they lock the amount or more */
        escrows: {
            transaction_hash: string;
            ledger_index: number;
        }[];
    }[];
    /** What is not sold is put in escrow at the end of the sale and cannot move before this time, as in the terms; null when nothing is promised */
    unsold_until: string | null;
    /** What vesting still owes at the end of the sale is put in escrow then and cannot move before the day on which it is due, as in the terms */
    vesting_locked: boolean;
    terms_hash: string | null;
    /** The allowlist version in force */
    list_hash: string | null;
    pending_action: {
        action: "launch" | "pause" | "resume" | "end" | "cancel" | "list" | "assign";
        transaction_hash: string;
    } | null;
    /** ISO 8601 UTC */
    created_at: string;
    launched_at: string | null;
    ended_at: string | null;
    end_reason: ("sold_out" | "ended" | "end_date" | "soft_cap_missed" | "cancelled") | null;
};
export type Payout = {
    id: string;
    kind: "distribution" | "refund" | "release" | "lock" | "unlock";
    project_id: string | null;
    investment_id: string | null;
    payment_hash: string | null;
    part: number;
    /** The account that pays */
    account: string;
    destination: string;
    destination_tag: number | null;
    /** Null for a distribution, lock or unlock */
    amount_xrp: string | null;
    /** Null for a refund or release */
    tokens: string | null;
    /** Of a lock or unlock: its tokens cannot move before this time; else null */
    locked_until: string | null;
    status: "scheduled" | "waiting_holder" | "ready" | "submitted" | "validated" | "held" | "cancelled";
    reason: string | null;
    /** ISO 8601 UTC */
    due_at: string;
    /** Since it is due; 0 before */
    age_seconds: number;
    /** Waits for its holder longer than the project’s `claim_days` */
    overdue: boolean;
    /** ISO 8601 UTC */
    next_check_at: string;
    /** Actions that an operator can take now */
    possible: ("retry" | "hold" | "release" | "settle")[];
    transaction_hash: string | null;
    ledger_index: number | null;
    validated_at: string | null;
    /** ISO 8601 UTC */
    created_at: string;
    attempt_count: number;
    /** The newest first; in a list at most three */
    attempts: {
        attempt: number;
        transaction_hash: string;
        status: "open" | "validated" | "failed" | "expired";
        /** The validated result; before that, what the server last said, which decides nothing */
        engine_result: string | null;
        ticket: number;
        /** XRP, a decimal string with exactly six fractional digits */
        fee_xrp: string;
        first_ledger: number;
        /** Past it the transaction can never succeed */
        last_ledger_sequence: number;
        ledger_index: number | null;
        /** ISO 8601 UTC */
        created_at: string;
    }[];
};
export type AllowList = {
    id: string;
    /** Project id */
    project_id: string;
    /** One more than the highest version of the project so far; the number of a discarded draft may be used again */
    version: number;
    status: "draft" | "committed";
    /** Wallets on it */
    entries: number;
    /** SHA-256 of the bytes behind `url`; null while it is a draft */
    hash: string | null;
    /** The last `list` action on the ledger names this version */
    in_force: boolean;
    /** Actions that have put it in force, in ledger order */
    anchors: {
        transaction_hash: string;
        ledger_index: number;
        /** ISO 8601 UTC */
        applied_at: string;
    }[];
    /** The published entries as JSON Lines; null while it is a draft */
    url: string | null;
    committed_at: string | null;
    /** ISO 8601 UTC */
    created_at: string;
};
export type ReleaseAmounts = {
    /** Project id */
    project_id: string;
    status: string;
    /** Named in the terms that the launch anchored */
    treasury: string | null;
    /** Invested in the project now */
    raised_xrp: string;
    /** Of it, what validated tokens were paid with; all of it once the sale is completed */
    earned_xrp: string;
    /** On the treasury, or on its way there */
    released_xrp: string;
    /** Releasable now: earned and not released, as far as the deposit account can spare it */
    releasable_xrp: string;
    not_releasable_reason: string | null;
    deposit_account: {
        address: string;
        /** All figures are as of this ledger */
        ledger_index: number;
        /** The lesser of the ledger’s and the recorded balance */
        balance_xrp: string;
        /** The balance above the floor */
        free_xrp: string;
        /** What must stay, over all projects of the account: the sum of `floor` */
        floor_xrp: string;
        floor: {
            /** Base reserve, and owner reserve with the tickets that paying the rest takes */
            reserve_xrp: string;
            /** Refunds that are not validated */
            unpaid_refunds_xrp: string;
            /** Held of payments, waiting for a person */
            held_xrp: string;
            /** Received and not decided yet */
            undecided_xrp: string;
            /** Invested without validated tokens, in sales that were or may yet be cancelled */
            undistributed_xrp: string;
            /** Releases that have not left the account yet */
            releases_xrp: string;
            /** Fees of the payments that the account may have to make */
            fee_float_xrp: string;
        };
    };
};
export type Release = {
    /** Its payout (pay_…), under `/api/admin/payouts` */
    id: string;
    release_id: string | null;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
    destination: string;
    status: string;
    reason: string | null;
    transaction_hash: string | null;
    ledger_index: number | null;
    /** ISO 8601 UTC */
    created_at: string;
};
export type Witness = {
    /** Address of its key in the signer lists */
    key: string;
    /** As the custody of an account names it; null where none does */
    name: string | null;
    operator: string | null;
    /** Deposit accounts whose custody names it */
    accounts: string[];
    /** WITNESSES says where it listens */
    configured: boolean;
    reachable: boolean;
    /** Why it is not reachable, or not usable */
    fault: string | null;
    version: string | null;
    /** The validated ledger that it is at */
    ledger_index: number | null;
    ledger_time: string | null;
    /** Its ledger servers, as it says */
    servers: {
        host: string;
        ok: boolean;
    }[];
    /** Its operator has stopped it; null while not */
    halted: {
        /** ISO 8601 UTC */
        since: string;
        reason: string;
    } | null;
    /** Accounts for which it signs nothing now */
    refusing: {
        account: string;
        reason: "halted" | "catching_up" | "servers_disagree" | "history_incomplete" | "server_outdated" | "history_unexplained" | "account_not_served" | "custody_differs" | "sale_not_approved" | "rules_unknown" | "inputs_missing" | "not_owed" | "not_due" | "paid" | "ticket_unknown" | "ticket_used" | "ticket_for_other_purpose" | "earlier_ticket_open" | "release_too_large" | "not_possible_now" | "too_many_tickets" | "fee_too_high" | "fee_limit_reached" | "amount_limit_reached" | "expires_too_late" | "expired" | "malformed";
        detail: string;
    }[];
    signed_24h: number | null;
    refused_24h: number | null;
    recent_refusals: {
        /** ISO 8601 UTC */
        at: string;
        reason: "halted" | "catching_up" | "servers_disagree" | "history_incomplete" | "server_outdated" | "history_unexplained" | "account_not_served" | "custody_differs" | "sale_not_approved" | "rules_unknown" | "inputs_missing" | "not_owed" | "not_due" | "paid" | "ticket_unknown" | "ticket_used" | "ticket_for_other_purpose" | "earlier_ticket_open" | "release_too_large" | "not_possible_now" | "too_many_tickets" | "fee_too_high" | "fee_limit_reached" | "amount_limit_reached" | "expires_too_late" | "expired" | "malformed";
        kind: string;
        purpose: string | null;
    }[];
};
export type InvestmentCreatedEvent = {
    event_type: "investment.created";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        investment_id: string;
        project_id: string;
        /** Ledger account address */
        investor_account: string;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        tier_info: {
            tier: number;
            /** XRP for one token, a decimal string */
            price_per_token: string;
            /** Tokens, a decimal string with exactly six fractional digits */
            tokens_expected: string;
        };
        transaction: {
            hash: string;
            ledger_index: number;
            destination_tag: number;
        };
        status: "pending_confirmation";
        /** ISO 8601 UTC */
        created_at: string;
    };
};
export type InvestmentConfirmedEvent = {
    event_type: "investment.confirmed";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        investment_id: string;
        project_id: string;
        /** Ledger account address */
        investor_account: string;
        /** XRP, a decimal string with exactly six fractional digits */
        confirmed_amount_xrp: string;
        final_tier_allocation: {
            tier: number;
            /** XRP, a decimal string with exactly six fractional digits */
            amount_xrp: string;
            /** Tokens, a decimal string with exactly six fractional digits */
            tokens: string;
        }[];
        /** Tokens, a decimal string with exactly six fractional digits */
        total_tokens: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        tokens_to_distribute: string;
        transaction: {
            hash: string;
            ledger_index: number;
            /** Close time of the ledger that confirmed it; also `timestamp` */
            confirmed_at: string;
        };
        status: "confirmed";
    };
};
export type InvestmentFailedEvent = {
    event_type: "investment.failed";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        investment_id: string;
        project_id: string;
        /** Ledger account address */
        investor_account: string;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        /** Why it got no token */
        reason: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled";
        transaction: {
            hash: string;
            ledger_index: number;
        };
        status: "failed";
    };
};
export type InvestmentTokensDistributedEvent = {
    event_type: "investment.tokens_distributed";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        investment_id: string;
        project_id: string;
        /** Ledger account address */
        investor_account: string;
        payout_id: string;
        part: number;
        /** Tokens, a decimal string with exactly six fractional digits */
        tokens: string;
        transaction: {
            hash: string;
            ledger_index: number;
        };
        /** ISO 8601 UTC */
        distributed_at: string;
    };
};
export type InvestmentRefundedEvent = {
    event_type: "investment.refunded";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        investment_id: string;
        project_id: string;
        /** Ledger account address */
        investor_account: string;
        payout_id: string;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        transaction: {
            hash: string;
            ledger_index: number;
        };
        /** ISO 8601 UTC */
        refunded_at: string;
    };
};
export type ProjectLaunchedEvent = {
    event_type: "project.launched";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        project_id: string;
        project_name: string;
        /** Ledger account address */
        deposit_address: string;
        destination_tag: number;
        tiers: {
            tier: number;
            /** XRP for one token, a decimal string */
            price_per_token: string;
            /** Tokens, a decimal string with exactly six fractional digits */
            total_tokens: string;
        }[];
        starts_at: string | null;
        ends_at: string | null;
        terms_hash: string;
        transaction: {
            hash: string;
            ledger_index: number;
        };
        /** ISO 8601 UTC */
        launched_at: string;
    };
};
export type ProjectTierCompletedEvent = {
    event_type: "project.tier_completed";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        project_id: string;
        project_name: string;
        tier_completed: number;
        tier_details: {
            tier: number;
            /** XRP for one token, a decimal string */
            price_per_token: string;
            /** Tokens, a decimal string with exactly six fractional digits */
            total_tokens: string;
            /** XRP, a decimal string with exactly six fractional digits */
            total_value_xrp: string;
        };
        completion_stats: {
            total_investors: number;
            /** ISO 8601 UTC */
            completion_time: string;
            time_to_complete_hours: number;
        };
        /** The tier that sells next; null after the last tier, when there is none */
        next_tier: {
            tier: number;
            /** XRP for one token, a decimal string */
            price_per_token: string;
            /** Tokens, a decimal string with exactly six fractional digits */
            total_tokens: string;
            /** ISO 8601 UTC */
            starts_at: string;
        } | null;
        /** The sale as the fact left it: of a completed tier, when that tier was full */
        project_progress: {
            tiers_completed: number;
            total_tiers: number;
            /** XRP, a decimal string with exactly six fractional digits */
            total_raised_xrp: string;
            /** Raised in percent of what the whole sale brings, rounded down to two decimals */
            progress_percentage: number;
        };
    };
};
export type ProjectMilestoneReachedEvent = {
    event_type: "project.milestone_reached";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        project_id: string;
        project_name: string;
        milestone: {
            kind: "progress";
            percentage: 25 | 50 | 75;
        } | {
            kind: "soft_cap";
            /** XRP, a decimal string with exactly six fractional digits */
            soft_cap_xrp: string;
        };
        /** The sale as the fact left it: of a completed tier, when that tier was full */
        project_progress: {
            tiers_completed: number;
            total_tiers: number;
            /** XRP, a decimal string with exactly six fractional digits */
            total_raised_xrp: string;
            /** Raised in percent of what the whole sale brings, rounded down to two decimals */
            progress_percentage: number;
        };
        transaction: {
            hash: string;
            ledger_index: number;
        };
        /** ISO 8601 UTC */
        reached_at: string;
    };
};
export type ProjectSaleEndedEvent = {
    event_type: "project.sale_ended";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        project_id: string;
        project_name: string;
        reason: "sold_out" | "ended" | "end_date" | "soft_cap_missed";
        /** XRP, a decimal string with exactly six fractional digits */
        total_raised_xrp: string;
        total_investors: number;
        /** ISO 8601 UTC */
        ended_at: string;
    };
};
export type ProjectCancelledEvent = {
    event_type: "project.cancelled";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        project_id: string;
        project_name: string;
        /** XRP, a decimal string with exactly six fractional digits */
        total_raised_xrp: string;
        total_investors: number;
        transaction: {
            hash: string;
            ledger_index: number;
        };
        /** ISO 8601 UTC */
        cancelled_at: string;
    };
};
export type SystemMaintenanceStartEvent = {
    event_type: "system.maintenance_start";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        maintenance_id: string;
        /** What the operators announce */
        message: string;
        /** ISO 8601 UTC */
        started_at: string;
        expected_end_at: string | null;
    };
};
export type SystemMaintenanceEndEvent = {
    event_type: "system.maintenance_end";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        maintenance_id: string;
        message: string;
        /** ISO 8601 UTC */
        started_at: string;
        /** ISO 8601 UTC */
        ended_at: string;
    };
};
export type SystemNetworkStatusEvent = {
    event_type: "system.network_status";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        /** What has changed; `platform` is the overall status. Each change is an event of its own */
        part: "platform" | "database" | "cache" | "ledger" | "queue";
        status: "operational" | "degraded" | "down";
        /** What was announced before */
        previous: "operational" | "degraded" | "down";
        /** When it was first seen; a change for the worse is announced a look later */
        since: string;
        /** What it means for who uses the platform */
        detail: string;
    };
};
export type SystemWebhookDisabledEvent = {
    event_type: "system.webhook_disabled";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        webhook_id: string;
        /** `gone`: the last attempt of a delivery was answered 410. `failing`: nothing but failures for five days */
        reason: "gone" | "failing";
        /** What happened, and what to do */
        message: string;
        failing_since: string | null;
        /** ISO 8601 UTC */
        disabled_at: string;
    };
};
export type SystemDeliveryFailedEvent = {
    event_type: "system.delivery_failed";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        /** The webhook whose receiver did not take it */
        webhook_id: string;
        delivery_id: string;
        /** The event that was not delivered */
        event_id: string;
        /** Its type */
        event_type: string;
        attempts: number;
        /** HTTP status of the last answer; null where none came */
        response_code: number | null;
        /** What happened, and what to do */
        message: string;
        /** ISO 8601 UTC */
        failed_at: string;
    };
};
export type SystemAlertEvent = {
    event_type: "system.alert";
    /** The same on every attempt: use it to drop duplicates */
    event_id: string;
    /** Time of the fact, ISO 8601 UTC */
    timestamp: string;
    api_version: "2026-11";
    /** Only in test events */
    test?: true;
    data: {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "balance_difference";
        details: {
            /** Ledger account address */
            account: string;
            ledger_index: number;
            /** XRP with exactly six fractional digits */
            expected_xrp: string;
            /** XRP, a decimal string with exactly six fractional digits */
            actual_xrp: string;
            /** XRP with exactly six fractional digits */
            difference_xrp: string;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "unknown_withdrawal";
        details: {
            /** Ledger account address */
            account: string;
            transaction: {
                hash: string;
                ledger_index: number;
                "type": string;
            };
            /** XRP, a decimal string with exactly six fractional digits */
            amount_xrp: string;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "unknown_transfer";
        details: {
            /** Ledger account address */
            account: string;
            transaction: {
                hash: string;
                ledger_index: number;
                "type": string;
            };
            /** Null for what is not a Payment */
            destination: string | null;
            /** Amount and asset as the ledger shows them; null where it shows none */
            delivered: string | null;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "late_discovery";
        details: {
            /** Ledger account address */
            account: string;
            transaction: {
                hash: string;
                ledger_index: number;
                "type": string;
            };
            amount_xrp: string | null;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "servers_disagree";
        details: {
            /** Ledger account address */
            account: string;
            ledger_index: number;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "payout_ceiling";
        details: {
            /** Ledger account address */
            account: string;
            limit_payouts: number;
            limit_xrp: string | null;
            waiting: number;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "payout_unclaimed";
        details: {
            /** Ledger account address */
            account: string;
            project_id: string;
            parts: number;
            /** Tokens, a decimal string with exactly six fractional digits */
            tokens: string;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "payout_key";
        details: {
            /** Ledger account address */
            account: string;
            reason: "payer_key_disabled" | "payer_key_changed" | "signing_key_unfit" | "key_used_elsewhere" | "waiting_witnesses" | "witness_refused";
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "database_behind";
        details: {
            /** Ledger account address */
            account: string;
            /** Hash of a transaction that was signed, or id of the audit entry of a payout that was settled by hand */
            remembered: string;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "account_health";
        details: {
            /** Ledger account address */
            account: string;
            finding: string;
            severity: "warning" | "critical";
            token: string | null;
        };
    } | {
        /** What was found, and what to do next */
        message: string;
        /** ISO 8601 UTC */
        raised_at: string;
        kind: "verification_failed";
        details: {
            /** Ledger account address */
            account: string;
            project_id: string;
            verification_id: string;
            as_of_ledger: number;
            differences: number;
        };
    };
};
export type Holder = {
    /** Who holds the same shares a rank */
    rank: number;
    /** Ledger account address (r…) */
    account: any;
    /** Tokens, exact: six fractional digits, or more where there are more */
    balance: string;
    /** Part of the supply that holders have, 0 to 1, to six decimals, a half rounded up */
    share: number;
};
export type HolderSnapshot = {
    /** The snapshot */
    sync_id: string;
    holders: number;
    /** What all holders have together */
    supply: string;
    /** Accounts with supply that is not in circulation; they count nowhere else */
    excluded: {
        accounts: number;
        /** Tokens, exact: six fractional digits, or more where there are more */
        balance: string;
    };
    top_10_share: number | null;
    top_100_share: number | null;
    /** Gini coefficient: 0 when all hold the same */
    gini: number | null;
    median: string | null;
    /** Holders by balance: `from` belongs to a step, `to` to the next one */
    histogram: {
        /** Tokens, exact: six fractional digits, or more where there are more */
        "from": string;
        to: string | null;
        holders: number;
    }[];
    change: {
        /** ISO 8601 UTC */
        since: string;
        ledger_index: number;
        holders: number;
        added: number;
        removed: number;
    } | null;
    /** The validated ledger that all of it was read from */
    ledger_index: number;
    /** ISO 8601 UTC */
    ledger_closed_at: string;
    /** When the snapshot was complete */
    synced_at: string;
};
export type Investment = {
    id: string;
    investment_id: string;
    /** Project id */
    project_id: string;
    /** Ledger account address */
    investor_account: string;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
    status: "pending_confirmation" | "confirmed" | "failed";
    /** Why it was refused, or why a part was refunded */
    reason: string | null;
    tier_info: {
        tier: number;
        /** XRP for one token, a decimal string */
        price_per_token: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        tokens_expected: string;
    };
    /** Invested amount now: 0 when it was refused or refunded; null until it is decided */
    confirmed_amount_xrp: string | null;
    /** Refunded part of amount_xrp, paid or due (`refunds`) */
    refunded_xrp: string;
    /** Held part of amount_xrp: neither invested nor refunded */
    held_xrp: string;
    /** What it bought when it was confirmed; unchanged by a later cancellation of the sale */
    final_tier_allocation: {
        tier: number;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        /** Tokens, a decimal string with exactly six fractional digits */
        tokens: string;
    }[];
    /** What it bought, as in final_tier_allocation */
    total_tokens: string | null;
    /** Of total_tokens, what was due at once */
    tokens_to_distribute: string | null;
    rounding_xrp: string | null;
    transaction: {
        hash: string;
        ledger_index: number;
        destination_tag: number | null;
        /** Close time of the ledger that confirmed it, after the one that decided; null unless it was invested */
        confirmed_at: string | null;
    };
    payouts: {
        transaction_hash: string | null;
        ledger_index: number | null;
        id: string;
        part: number;
        /** Tokens, a decimal string with exactly six fractional digits */
        tokens: string;
        status: string;
        reason: string | null;
        /** ISO 8601 UTC */
        due_at: string;
        validated_at: string | null;
    }[];
    refunds: {
        transaction_hash: string | null;
        ledger_index: number | null;
        id: string;
        /** 1: the change of the payment; 2: the refund of a cancelled sale */
        part: number;
        /** XRP, a decimal string with exactly six fractional digits */
        amount_xrp: string;
        status: string;
        /** Why it waits, is held or failed */
        reason: string | null;
        /** ISO 8601 UTC */
        due_at: string;
        validated_at: string | null;
    }[];
    /** ISO 8601 UTC */
    created_at: string;
};
export type Invitation = {
    /** Identifier of the invitation */
    id: string;
    /** Classic address */
    wallet_address: string;
    /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
    role: "viewer" | "editor" | "owner";
    /** Classic address */
    invited_by: string;
    /** ISO 8601 UTC */
    created_at: string;
    /** ISO 8601 UTC */
    expires_at: string;
};
export type Member = {
    /** Identifier of the member */
    id: string;
    /** Classic address */
    wallet_address: string;
    /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
    role: "viewer" | "editor" | "owner";
    /** ISO 8601 UTC */
    created_at: string;
};
export type SaleException = {
    kind: "assign";
    /** The `assign` action: anyone can check it on the ledger */
    action_hash: string;
    ledger_index: number;
    transaction_index: number;
    payment_hash: string;
    investor_account: string;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
    payment_ledger_index: number;
    investment_id: string;
    /** ISO 8601 UTC */
    assigned_at: string;
} | {
    /** Discovered in a ledger that was already decided: it is held */
    kind: "late_discovery";
    ledger_index: number;
    transaction_index: number;
    payment_hash: string;
    investor_account: string;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
} | {
    /** Discovered in a ledger that was already decided: it has no effect */
    kind: "late_action";
    ledger_index: number;
    transaction_index: number;
    action_hash: string;
    action: string;
} | {
    /** An operator refunded the held amount of a payment */
    kind: "refund";
    ledger_index: number;
    transaction_index: number;
    payment_hash: string;
    investor_account: string;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
    payout_id: string;
};
export type VerificationReport = {
    project_id: string;
    as_of_ledger: number;
    /** `unchecked`: nothing differs, and not everything could be checked */
    verdict: "agrees" | "differs" | "unchecked";
    checked: {
        from_ledger: number;
        through_ledger: number;
        ledgers: number;
        /** Transactions of the deposit account and of the distributor */
        entries: number;
        payments: number;
        allocations: number;
        payouts: number;
        /** Each looked up on the ledger */
        payouts_validated: number;
        payouts_owed: number;
        payouts_cancelled: number;
        /** A sale that has ended within the hour still has to publish them */
        payouts_to_come: number;
    };
    anchors: {
        launch: {
            transaction_hash: string;
            ledger_index: number;
            terms_hash: string;
        } | null;
        lists: {
            transaction_hash: string;
            ledger_index: number;
            list_hash: string;
        }[];
    };
    /** Who can move the money, as the terms say; null when one key can */
    custody: {
        quorum: number;
        platform: {
            account: string;
            weight: number;
        };
        witnesses: {
            name: string;
            operator: string;
            account: string;
            weight: number;
            /** How many of `transactions` it has signed */
            signatures: number;
        }[];
        /** The fewest witnesses that can sign with the platform; null when all are too few */
        least_witnesses: number | null;
        /** Witnesses, whichever, without whom everything can still be paid */
        may_be_away: number;
        /** What the signer set does not keep of what custody promises */
        faults: string[];
        /** Own transactions of both accounts after the launch, each checked */
        transactions: number;
    } | null;
    /** Tokens that the terms promise to lock, and what the ledger shows of it */
    locks: {
        label: string;
        receiver: string;
        amount: string;
        until: string;
        /** Tokens in the escrows that the terms name; null when no server tells */
        locked: string | null;
        /** Of `locked`, tokens that the escrows still hold in `as_of_ledger`: the others were released after the time, or went back to their owner; null when no server holds the state of that ledger */
        in_escrow: string | null;
    }[];
    /** The lock of unsold tokens that the terms promise; null when they promise none */
    unsold: {
        receiver: string;
        until: string;
        /** Tokens that the end of the sale left unsold and to be locked; null when nothing is owed */
        amount: string | null;
        /** The EscrowCreate that `/payouts` names */
        transaction_hash: string | null;
        /** Tokens that it locks; null when nothing is owed, or no server tells */
        locked: string | null;
        /** Of `locked`, what `as_of_ledger` still holds; as in `locks` */
        in_escrow: string | null;
    } | null;
    /** The locks of what vesting owes that the terms promise; null when they promise none */
    vesting: {
        receiver: string;
        /** Days with a lock each; null before the end of the sale, and when nothing is owed */
        days: number | null;
        /** Tokens that vesting owes on these days, to be locked */
        amount: string | null;
        /** The last of these days */
        until: string | null;
        /** Tokens that are locked until their day; null when nothing is owed, or no server tells */
        locked: string | null;
        /** Of `locked`, what `as_of_ledger` still holds; as in `locks` */
        in_escrow: string | null;
    } | null;
    /** How many are published, by kind */
    exceptions: {
        [key: string]: number;
    };
    differences_total: number;
    /** The first thousand */
    differences: {
        kind: "terms_differ" | "terms_shown_differ" | "anchor_differs" | "list_differs" | "list_not_published" | "exception_not_published" | "exception_not_on_ledger" | "payment_missing" | "payment_extra" | "payment_differs" | "allocation_missing" | "allocation_extra" | "allocation_differs" | "payout_missing" | "payout_extra" | "payout_differs" | "payout_not_on_ledger" | "payout_misdirected" | "payout_paid_otherwise" | "payout_paid_twice" | "transaction_used_twice" | "unexplained_payment" | "released_too_much" | "answers_differ" | "custody_not_signed" | "custody_changed" | "custody_state_differs" | "custody_ended_early" | "ticket_for_other_purpose" | "lock_not_kept";
        subject: string;
        ledger_index: number | null;
        field: string | null;
        expected: string | null;
        found: string | null;
        message: string;
    }[];
    unchecked: {
        account: string;
        from_ledger: number;
        through_ledger: number;
        reason: string;
    }[];
};
export type SystemMetrics = {
    deliveries: {
        /** First attempts not made yet; counted up to 10,000 */
        waiting: number;
        /** Age of the oldest, in seconds; null where none is */
        waiting_oldest_seconds: number | null;
        /** Retries whose time has come; counted up to 10,000 */
        retries_due: number;
        /** Age of the oldest, in seconds; null where none is */
        retries_due_oldest_seconds: number | null;
    };
    /** Attempts that began within 24 hours, as far as they are counted: up to three minutes ago */
    deliveries_24h: {
        delivered: number;
        /** Failed deliveries: every attempt failed */
        given_up: number;
        failed_attempts: number;
        /** Success rate: the share of ended deliveries that succeeded; null when none ended */
        success_rate: number | null;
        /** Latency from the creation of a delivery to the receiver’s 2xx, retries included; accurate to about a tenth */
        latency_ms: {
            p50: number | null;
            p95: number | null;
        };
    };
    /** Open payouts by status; the age counts from the due date and is 0 before it */
    payouts: {
        status: "scheduled" | "waiting_holder" | "ready" | "submitted" | "held";
        count: number;
        /** Age of the oldest, in seconds; null where none is */
        oldest_seconds: number | null;
    }[];
    held_payments: {
        count: number;
        /** Age of the oldest, in seconds; null where none is */
        oldest_seconds: number | null;
    };
    jobs: {
        name: string;
        last_started_at: string | null;
        last_finished_at: string | null;
        /** True when its cron has not begun it for too long; null without a cron, or before its first run */
        late: boolean | null;
    }[];
};
export type SystemStatus = {
    /** down: nothing works; degraded: a part is away or late, or the ledger stands still: payments are late but safe; or an invariant is violated or an account halted, which a person must look into */
    status: "operational" | "degraded" | "down";
    /** Why it is not operational; empty while it is */
    causes: ("database_down" | "metrics_missing" | "cache_down" | "queue_down" | "ledger_down" | "ledger_stale" | "ledger_server_down" | "ledger_server_behind" | "ledger_servers_disagree" | "processing_behind" | "job_late" | "invariant_violated")[];
    version: string;
    /** What is deployed; null where the deployment does not know */
    commit: string | null;
    /** Name of the ledger network */
    network: string;
    network_id: number;
    time: string;
    checks: {
        database: {
            status: "up" | "down";
            /** Time until the answer, or until the time-out */
            latency_ms: number;
        };
        cache: {
            status: "up" | "down";
            /** Time until the answer, or until the time-out */
            latency_ms: number;
        };
        ledger: {
            status: "up" | "down";
            /** Time until the answer, or until the time-out */
            latency_ms: number;
        };
        queue: {
            status: "up" | "down";
            /** Time until the answer, or until the time-out */
            latency_ms: number;
        };
    };
    ledger: {
        validated_index: number | null;
        /** Since the newest validated ledger closed */
        age_seconds: number | null;
        /** Every payment up to this ledger is recorded */
        processed_index: number | null;
        /** Ledgers validated and not yet processed */
        lag: number | null;
        /** The ledger servers against each other; empty where only one is configured */
        servers: {
            /** Its place in the settings, from 1 */
            server: number;
            status: "up" | "down";
            latency_ms: number;
            validated_index: number | null;
            /** Ledgers behind the newest that any server shows */
            behind: number | null;
            /** Whether it shows the same chain as the first that answers; null where that cannot be told */
            agrees: boolean | null;
        }[];
    };
    /** Queue lengths and delivery statistics; null when the database does not answer */
    metrics: SystemMetrics | null;
    /** What must always hold; null where the database does not answer */
    invariants: {
        balances: {
            /** Whether the recorded balances match the ledger; unknown: not compared recently */
            status: "ok" | "violated" | "unknown";
            /** Accounts with a difference */
            accounts: {
                account: string;
                /** Balance on the ledger minus the recorded balance */
                difference_xrp: string;
                /** Where the two were compared */
                ledger_index: number;
            }[];
        };
        /** Unknown withdrawals: transactions that took XRP and that the platform did not sign */
        unknown_withdrawals: number | null;
        /** Unknown transfers: transactions of distributors that the platform did not sign */
        unknown_transfers: number | null;
        /** All transactions that changed a balance and that the platform did not sign, fee-only ones included */
        foreign_transactions: number | null;
        /** Late discoveries: payments found below the confirmed watermark that are still held */
        late_discoveries: number | null;
        /** Deposit accounts that an operator has halted: their payments wait undecided */
        halted_accounts: number | null;
        /** Accounts that cannot pay because their signing key is configured incorrectly */
        unfit_signing_keys: number | null;
    };
    /** The work that the operators have announced; null where none is, or the database does not answer */
    maintenance: {
        message: string;
        started_at: string;
        expected_end_at: string | null;
    } | null;
};
export type PublishedAllocation = {
    investment_id: string;
    /** The payment */
    transaction_hash: string;
    /** Where it was decided: the payment’s ledger, or that of `assigned_by` */
    ledger_index: number;
    transaction_index: number;
    investor_account: string;
    tier: number;
    /** XRP for one token, a decimal string */
    price_per_token: string;
    /** XRP, a decimal string with exactly six fractional digits */
    amount_xrp: string;
    /** Tokens, a decimal string with exactly six fractional digits */
    tokens: string;
    /** The action that credited a payment held before */
    assigned_by: string | null;
    /** Close time of the ledger that confirmed it (CONFIRMATIONS after the one that decided) */
    confirmed_at: string;
    /** Close time of the ledger that decided, as in `/payments` */
    decided_at: string;
};
export type PublishedPayment = {
    /** The payment */
    transaction_hash: string;
    /** Where it was decided: its own ledger, or that of `assigned_by` */
    ledger_index: number;
    transaction_index: number;
    /** ISO 8601 UTC */
    decided_at: string;
    payment_ledger_index: number;
    sender: string;
    destination_tag: number | null;
    source_tag: number | null;
    /** XRP, a decimal string with exactly six fractional digits */
    received_xrp: string;
    outcome: "invested" | "partial" | "refunded" | "held";
    /** Why nothing was invested */
    reason: string | null;
    /** XRP, a decimal string with exactly six fractional digits */
    invested_xrp: string;
    /** XRP, a decimal string with exactly six fractional digits */
    refunded_xrp: string;
    /** XRP, a decimal string with exactly six fractional digits */
    held_xrp: string;
    /** Change too small to be sent back; inside `invested_xrp` */
    rounding_xrp: string;
    /** Tokens, a decimal string with exactly six fractional digits */
    total_tokens: string;
    investment_id: string | null;
    /** The action that credited a payment held before */
    assigned_by: string | null;
};
export type PublishedPayout = {
    id: string;
    kind: "distribution" | "refund" | "release" | "lock";
    part: number;
    investment_id: string | null;
    /** Null for a release or a lock */
    payment_hash: string | null;
    /** Place of the payment’s decision */
    decided_ledger_index: number | null;
    decided_transaction_index: number | null;
    /** Who pays */
    account: string;
    destination: string;
    destination_tag: number | null;
    /** Of a refund or a release */
    amount_xrp: string | null;
    /** Of a distribution or a lock */
    tokens: string | null;
    /** ISO 8601 UTC */
    due_at: string;
    status: "owed" | "validated" | "cancelled";
    transaction_hash: string | null;
    ledger_index: number | null;
};
/**
 * List deposit accounts with their reading position and whether the records agree with the ledger
 */
export function listDepositAccounts({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            accounts: DepositAccount[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/accounts${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Set who must sign what a deposit account sends, for its drafts and the sales that are launched from now on
 */
export function setCustody({ address, body }: {
    address: string;
    body: {
        /** The signer set of the account and of the distributors of its sales; null for one key */
        custody: {
            quorum: number;
            platform: {
                /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
                account: string;
                weight: number;
            };
            witnesses: {
                /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
                account: string;
                weight: number;
                name: string;
                operator: string;
            }[];
            ledgers_to_live: number;
        } | null;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DepositAccount;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/accounts/${encodeURIComponent(address)}/custody`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    })));
}
/**
 * Stop reading, confirming and paying for a deposit account; payments keep their ledger position
 */
export function haltDepositAccount({ address, idempotencyKey, body }: {
    address: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DepositAccount;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/accounts/${encodeURIComponent(address)}/halt`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Resume a halted deposit account where it stopped
 */
export function resumeDepositAccount({ address, idempotencyKey, body }: {
    address: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: DepositAccount;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/accounts/${encodeURIComponent(address)}/resume`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Have a distributor set its trust line, or opt in to an MPT, so that its issuer can send it the supply; a dry run answers 200 and signs nothing
 */
export function openTokenHolding({ address, idempotencyKey, body }: {
    address: string;
    idempotencyKey?: string;
    body: {
        token: {
            kind: "iou";
            /** Currency code of the token */
            currency: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            issuer: string;
            /** The most that the trust line takes, at most 15 significant digits: what the sales of the account owe */
            limit_tokens: string;
        } | {
            kind: "mpt";
            /** MPT issuance id */
            issuance_id: string;
        };
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: true;
            transaction: {
                TransactionType: string;
                [key: string]: any;
            };
        };
    } | {
        status: 202;
        data: {
            dry_run: boolean;
            transaction: {
                TransactionType: string;
                [key: string]: any;
            };
            transaction_hash: string;
            /** Past it the transaction can never succeed */
            last_ledger_sequence: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/accounts/${encodeURIComponent(address)}/token-holding`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List requests for approval, newest first
 */
export function listApprovals({ cursor, limit, status, project_id }: {
    cursor?: string;
    limit?: number;
    status?: "open" | "approved" | "refused" | "withdrawn" | "lapsed";
    project_id?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            approvals: Approval[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/approvals${QS.query(QS.explode({
        cursor,
        limit,
        status,
        project_id
    }))}`, {
        ...opts
    }));
}
/**
 * Ask another operator to approve a launch or a release, which is checked but not carried out
 */
export function askForApproval({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** Project id */
        project_id: string;
        /** What to approve */
        action: "launch" | "release";
        /** Of a release; everything that is releasable now when omitted */
        amount_xrp?: string;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Approval;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/approvals", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Get a request for approval, with exactly what it would do
 */
export function getApproval({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Approval;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/approvals/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Approve a request, which carries out its action in your name; refuse it; or withdraw your own
 */
export function decideApproval({ id, decision, idempotencyKey, body }: {
    id: string;
    decision: "approve" | "refuse" | "withdraw";
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Approval;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/approvals/${encodeURIComponent(id)}/${encodeURIComponent(decision)}`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List what administrators did, with who and why, newest first
 */
export function listAudit({ actor, action, subject, from, to, cursor, limit }: {
    actor?: string;
    action?: string;
    subject?: string;
    from?: string;
    to?: string;
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            entries: AuditEntry[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/audit${QS.query(QS.explode({
        actor,
        action,
        subject,
        from,
        to,
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Erase the payload of an event for good, with what receivers answered to it; waiting deliveries are cancelled
 */
export function eraseEvent({ id, reason }: {
    id: string;
    reason: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the event */
            event_id: string;
            /** ISO 8601 UTC */
            erased_at: string;
            deliveries_cancelled: number;
            /** Attempts of its deliveries, with the answers */
            attempts_removed: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/events/${encodeURIComponent(id)}/payload${QS.query(QS.explode({
        reason
    }))}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * List background jobs with their last run
 */
export function listJobs(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** By the database’s clock, by which leases run */
            time: string;
            jobs: Job[];
            /** Of single accounts and runs (`signer:…`, `verify-sales:…`), as far as they are held or were within a day; the newest 200 */
            leases: Job[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/jobs", {
        ...opts
    }));
}
/**
 * List maintenances, newest first
 */
export function listMaintenances({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            current: Maintenance | null;
            past: Maintenance[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/maintenance${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Start a maintenance and send `system.maintenance_start`
 */
export function startMaintenance({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** What the public is told */
        message: string;
        /** When it is expected to be over */
        expected_end_at?: string;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Maintenance;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/maintenance", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * End the maintenance and send `system.maintenance_end`
 */
export function endMaintenance({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Maintenance;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/maintenance/end", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List held payments, or all payments, with the actions that each allows
 */
export function listPayments({ cursor, limit, status, reason, sort, account, project_id, min_amount_xrp, max_amount_xrp }: {
    cursor?: string;
    limit?: number;
    status?: "held" | "all";
    reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
    sort?: "oldest" | "amount";
    account?: string;
    project_id?: string;
    min_amount_xrp?: string;
    max_amount_xrp?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            payments: Payment[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
            /** All held payments that `reason`, `account` and `project_id` choose, by size, the largest first; empty with `status` all */
            groups: {
                /** Of which at least so much is held */
                from_xrp: string;
                /** And less than this; null is no bound */
                below_xrp: string | null;
                payments: number;
                /** In all */
                held_xrp: string;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payments${QS.query(QS.explode({
        cursor,
        limit,
        status,
        reason,
        sort,
        account,
        project_id,
        min_amount_xrp,
        max_amount_xrp
    }))}`, {
        ...opts
    }));
}
/**
 * Credit a held payment to a project as a published exception, by an action on the ledger
 */
export function assignPayment({ transaction_hash, idempotencyKey, body }: {
    transaction_hash: string;
    idempotencyKey?: string;
    body: {
        /** Project id */
        project_id: string;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payments/${encodeURIComponent(transaction_hash)}/assign`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Refund the held amount of a payment to its sender
 */
export function refundPayment({ transaction_hash, idempotencyKey, body }: {
    transaction_hash: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: Payment;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payments/${encodeURIComponent(transaction_hash)}/refund`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Refund the held amount of many payments to their senders; a dry run reports what it would do and writes nothing
 */
export function refundPayments({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** These payments only */
        transaction_hashes: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account?: string;
        /** Project id */
        project_id?: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp?: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp?: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        /** These payments only */
        transaction_hashes?: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account?: string;
        /** Project id */
        project_id?: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp?: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp?: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        /** These payments only */
        transaction_hashes?: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account: string;
        /** Project id */
        project_id?: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp?: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp?: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        /** These payments only */
        transaction_hashes?: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account?: string;
        /** Project id */
        project_id: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp?: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp?: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        /** These payments only */
        transaction_hashes?: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account?: string;
        /** Project id */
        project_id?: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp?: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        /** These payments only */
        transaction_hashes?: string[];
        /** Only payments held for this reason. Without it, and without hashes, operating_funds are left alone */
        held_reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        account?: string;
        /** Project id */
        project_id?: string;
        /** Only payments of which at least so much is held */
        min_amount_xrp?: string;
        /** Only payments of which at most so much is held */
        max_amount_xrp: string;
        /** At most so many, the largest first */
        limit?: number;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            /** How many are refunded; in a dry run, would be */
            refunded: number;
            /** Their held XRP in all */
            amount_xrp: string;
            payments: {
                transaction_hash: string;
                sender: string;
                /** XRP, a decimal string with exactly six fractional digits */
                held_xrp: string;
            }[];
            /** Selected, but not refunded */
            skipped: {
                transaction_hash: string;
                because: string;
            }[];
            /** Selected beyond `limit`, or not reached in time: send the request again */
            beyond_limit: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/payments/refund", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List distributions, refunds, releases, locks and unlocks, due longest first, with a summary by status and reason
 */
export function listPayouts({ cursor, limit, status, kind, reason, project_id, account, destination, overdue }: {
    cursor?: string;
    limit?: number;
    status?: "scheduled" | "waiting_holder" | "ready" | "submitted" | "validated" | "held" | "cancelled" | "open" | "all";
    kind?: "distribution" | "refund" | "release" | "lock" | "unlock";
    reason?: ("destination_missing" | "destination_is_payer" | "destination_is_issuer" | "destination_tag_required" | "deposit_authorization_required" | "trust_line_missing" | "trust_line_unauthorized" | "trust_line_frozen" | "trust_line_limit" | "token_not_opted_in" | "token_unauthorized" | "token_locked" | "issuer_missing" | "issuer_frozen" | "issuance_missing" | "issuance_locked" | "issuance_maximum" | "asset_scale_differs" | "transfer_fee" | "transfer_not_allowed" | "escrow_not_allowed" | "lock_time_passed" | "lock_undecided" | "lock_not_made" | "escrow_not_due" | "payer_missing" | "payer_underfunded" | "payer_frozen" | "payer_key_disabled" | "payer_key_changed" | "facts_unreadable" | "fee_above_amount" | "release_below_floor" | "paid_elsewhere" | "signing_key_missing" | "signing_key_unfit" | "waiting_witnesses" | "witness_refused" | "database_behind" | "unsignable" | "hourly_ceiling" | "above_hourly_ceiling" | "operator_hold" | "cancelled" | "soft_cap_missed" | "invalidTransaction") | string;
    project_id?: string;
    account?: string;
    destination?: string;
    overdue?: "true" | "false";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            payouts: Payout[];
            /** Everything that the filters let through, not this page alone; the most first */
            summary: {
                status: "scheduled" | "waiting_holder" | "ready" | "submitted" | "validated" | "held" | "cancelled";
                reason: string | null;
                payouts: number;
                overdue: number;
                /** Of refunds and releases */
                amount_xrp: string;
                /** ISO 8601 UTC */
                oldest_due_at: string;
                oldest_age_seconds: number;
            }[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payouts${QS.query(QS.explode({
        cursor,
        limit,
        status,
        kind,
        reason,
        project_id,
        account,
        destination,
        overdue
    }))}`, {
        ...opts
    }));
}
/**
 * Get a payout with all its attempts
 */
export function getPayout({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Payout;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payouts/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Retry a waiting payout now, hold one that is not submitted, release one that is held, or settle it with the transaction that paid it
 */
export function actOnPayout({ id, action, idempotencyKey, body }: {
    id: string;
    action: "retry" | "hold" | "release" | "settle";
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
        /** With `settle`, and with nothing else: the validated Payment that paid it, from its account to its destination with its tag, of exactly its amount, and of no other payout */
        transaction_hash?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Payout;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/payouts/${encodeURIComponent(id)}/${encodeURIComponent(action)}`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Retry waiting payouts now; held, submitted and paid ones are skipped
 */
export function retryPayouts({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        project_id: string;
        /** Why it waits or is held: one of the platform’s reasons, or the ledger’s own result */
        waiting_reason?: ("destination_missing" | "destination_is_payer" | "destination_is_issuer" | "destination_tag_required" | "deposit_authorization_required" | "trust_line_missing" | "trust_line_unauthorized" | "trust_line_frozen" | "trust_line_limit" | "token_not_opted_in" | "token_unauthorized" | "token_locked" | "issuer_missing" | "issuer_frozen" | "issuance_missing" | "issuance_locked" | "issuance_maximum" | "asset_scale_differs" | "transfer_fee" | "transfer_not_allowed" | "escrow_not_allowed" | "lock_time_passed" | "lock_undecided" | "lock_not_made" | "escrow_not_due" | "payer_missing" | "payer_underfunded" | "payer_frozen" | "payer_key_disabled" | "payer_key_changed" | "facts_unreadable" | "fee_above_amount" | "release_below_floor" | "paid_elsewhere" | "signing_key_missing" | "signing_key_unfit" | "waiting_witnesses" | "witness_refused" | "database_behind" | "unsignable" | "hourly_ceiling" | "above_hourly_ceiling" | "operator_hold" | "cancelled" | "soft_cap_missed" | "invalidTransaction") | string;
        payout_ids?: string[];
        /** Why; stands in the audit log */
        reason: string;
    } | {
        project_id?: string;
        /** Why it waits or is held: one of the platform’s reasons, or the ledger’s own result */
        waiting_reason: ("destination_missing" | "destination_is_payer" | "destination_is_issuer" | "destination_tag_required" | "deposit_authorization_required" | "trust_line_missing" | "trust_line_unauthorized" | "trust_line_frozen" | "trust_line_limit" | "token_not_opted_in" | "token_unauthorized" | "token_locked" | "issuer_missing" | "issuer_frozen" | "issuance_missing" | "issuance_locked" | "issuance_maximum" | "asset_scale_differs" | "transfer_fee" | "transfer_not_allowed" | "escrow_not_allowed" | "lock_time_passed" | "lock_undecided" | "lock_not_made" | "escrow_not_due" | "payer_missing" | "payer_underfunded" | "payer_frozen" | "payer_key_disabled" | "payer_key_changed" | "facts_unreadable" | "fee_above_amount" | "release_below_floor" | "paid_elsewhere" | "signing_key_missing" | "signing_key_unfit" | "waiting_witnesses" | "witness_refused" | "database_behind" | "unsignable" | "hourly_ceiling" | "above_hourly_ceiling" | "operator_hold" | "cancelled" | "soft_cap_missed" | "invalidTransaction") | string;
        payout_ids?: string[];
        /** Why; stands in the audit log */
        reason: string;
    } | {
        project_id?: string;
        /** Why it waits or is held: one of the platform’s reasons, or the ledger’s own result */
        waiting_reason?: ("destination_missing" | "destination_is_payer" | "destination_is_issuer" | "destination_tag_required" | "deposit_authorization_required" | "trust_line_missing" | "trust_line_unauthorized" | "trust_line_frozen" | "trust_line_limit" | "token_not_opted_in" | "token_unauthorized" | "token_locked" | "issuer_missing" | "issuer_frozen" | "issuance_missing" | "issuance_locked" | "issuance_maximum" | "asset_scale_differs" | "transfer_fee" | "transfer_not_allowed" | "escrow_not_allowed" | "lock_time_passed" | "lock_undecided" | "lock_not_made" | "escrow_not_due" | "payer_missing" | "payer_underfunded" | "payer_frozen" | "payer_key_disabled" | "payer_key_changed" | "facts_unreadable" | "fee_above_amount" | "release_below_floor" | "paid_elsewhere" | "signing_key_missing" | "signing_key_unfit" | "waiting_witnesses" | "witness_refused" | "database_behind" | "unsignable" | "hourly_ceiling" | "above_hourly_ceiling" | "operator_hold" | "cancelled" | "soft_cap_missed" | "invalidTransaction") | string;
        payout_ids: string[];
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Waiting payouts that the next run checks */
            retried: number;
            /** How many of `payout_ids` are held, submitted, paid or unknown; null without payout_ids */
            skipped: number | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/payouts/retry", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List all projects, drafts included, newest first
 */
export function adminListProjects({ cursor, limit, status }: {
    cursor?: string;
    limit?: number;
    status?: "draft" | "active" | "paused" | "completed" | "cancelled";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            projects: Project[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts
    }));
}
/**
 * Create a project as a draft
 */
export function createProject({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        name: string;
        slug?: string;
        description?: string;
        website?: string | null;
        logo?: string | null;
        links?: {
            label: string;
            url: string;
        }[];
        team?: {
            name: string;
            role: string;
            url?: string | null;
        }[];
        documents?: {
            title: string;
            url: string;
            /** SHA-256 of the file, so that anyone can tell whether it was changed */
            sha256?: string | null;
        }[];
        token: {
            kind: "iou";
            /** Currency code of the token */
            currency: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            issuer: string;
            decimals?: number;
        } | {
            kind: "mpt";
            /** MPT issuance id */
            issuance_id: string;
            /** The AssetScale of the issuance */
            decimals: number;
        };
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        distributor: string;
        tiers: {
            /** Number of the tier; when given, tiers must count from 1 */
            tier?: number;
            /** XRP for one token, a positive decimal string of up to 12 fractional digits */
            price_per_token: string;
            /** Supply of the tier, a multiple of the token unit */
            total_tokens: string;
            access?: "open" | "allowlist";
            /** Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for */
            credential?: {
                /** The type as text */
                "type"?: string | null;
                /** The type in hexadecimal, as the ledger has it; in place of `type` */
                credential_type?: string;
                /** Accounts of which any one must have issued it */
                issuers: string[];
            } | null;
            /** The tier does not sell before this time, also when the tier before it is full */
            starts_at?: string | null;
        }[];
        starts_at?: string | null;
        ends_at?: string | null;
        /** Minimum payment: a smaller payment is refunded in full. If omitted, it is 1 XRP (or the setting DEFAULT_MIN_INVESTMENT_DROPS), at most max_per_wallet_xrp and what the whole sale costs; null for none, so that payments of one drop each cause payouts */
        min_investment_xrp?: string | null;
        /** Below it every payment is refunded; requires distribution "at_end" */
        soft_cap_xrp?: string | null;
        /** Over all payments of one wallet */
        max_per_wallet_xrp?: string | null;
        access?: "open" | "allowlist";
        distribution?: "immediate" | "at_end";
        vesting?: {
            /** Due at once, in hundredths of a percent */
            immediate_bps: number;
            cliff_days?: number;
            period_days?: number;
            periods?: number;
        } | null;
        treasury?: string | null;
        claim_days?: number;
        /** Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount */
        locks?: {
            /** Whose tokens they are, for investors */
            label: string;
            /** Destination of every escrow of the lock */
            receiver: string;
            /** Tokens that cannot move before `until`, a multiple of the token unit */
            amount: string;
            until: string;
            /** Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock */
            escrows?: string[];
        }[];
        /** When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none */
        unsold_until?: string | null;
        /** When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due */
        vesting_locked?: boolean;
        /** Account that receives the payments. Set RequireDest on it, so that nobody forgets the tag */
        deposit_address: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/projects", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Get a project, drafts included
 */
export function adminGetProject({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a draft, or what the terms of a launched project leave open
 */
export function patchProject({ id, body }: {
    id: string;
    body: {
        name?: string;
        slug?: string;
        description?: string;
        website?: string | null;
        logo?: string | null;
        links?: {
            label: string;
            url: string;
        }[];
        team?: {
            name: string;
            role: string;
            url?: string | null;
        }[];
        documents?: {
            title: string;
            url: string;
            /** SHA-256 of the file, so that anyone can tell whether it was changed */
            sha256?: string | null;
        }[];
        token?: {
            kind: "iou";
            /** Currency code of the token */
            currency: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            issuer: string;
            decimals?: number;
        } | {
            kind: "mpt";
            /** MPT issuance id */
            issuance_id: string;
            /** The AssetScale of the issuance */
            decimals: number;
        };
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        distributor?: string;
        tiers?: {
            /** Number of the tier; when given, tiers must count from 1 */
            tier?: number;
            /** XRP for one token, a positive decimal string of up to 12 fractional digits */
            price_per_token: string;
            /** Supply of the tier, a multiple of the token unit */
            total_tokens: string;
            access?: "open" | "allowlist";
            /** Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for */
            credential?: {
                /** The type as text */
                "type"?: string | null;
                /** The type in hexadecimal, as the ledger has it; in place of `type` */
                credential_type?: string;
                /** Accounts of which any one must have issued it */
                issuers: string[];
            } | null;
            /** The tier does not sell before this time, also when the tier before it is full */
            starts_at?: string | null;
        }[];
        starts_at?: string | null;
        ends_at?: string | null;
        /** Minimum payment: a smaller payment is refunded in full. null for none */
        min_investment_xrp?: string | null;
        /** Below it every payment is refunded; requires distribution "at_end" */
        soft_cap_xrp?: string | null;
        /** Over all payments of one wallet */
        max_per_wallet_xrp?: string | null;
        access?: "open" | "allowlist";
        distribution?: "immediate" | "at_end";
        vesting?: {
            /** Due at once, in hundredths of a percent */
            immediate_bps: number;
            cliff_days?: number;
            period_days?: number;
            periods?: number;
        } | null;
        treasury?: string | null;
        claim_days?: number;
        /** Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount */
        locks?: {
            /** Whose tokens they are, for investors */
            label: string;
            /** Destination of every escrow of the lock */
            receiver: string;
            /** Tokens that cannot move before `until`, a multiple of the token unit */
            amount: string;
            until: string;
            /** Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock */
            escrows?: string[];
        }[];
        /** When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none */
        unsold_until?: string | null;
        /** When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due */
        vesting_locked?: boolean;
        /** Why; stands in the audit log */
        reason: string;
        deposit_address?: any;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    })));
}
/**
 * Launch, pause, resume, end or cancel a sale by a transaction of its deposit account
 */
export function actOnProject({ id, action, idempotencyKey, body }: {
    id: string;
    action: "launch" | "pause" | "resume" | "end" | "cancel";
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/${encodeURIComponent(action)}`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List all versions of a project’s allowlist, drafts included, newest first
 */
export function adminListAllowlists({ id, cursor, limit }: {
    id: string;
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            lists: AllowList[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Create a new version of a project’s allowlist as an empty draft
 */
export function createAllowlist({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: AllowList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Discard an allowlist draft; a published version cannot be discarded
 */
export function discardAllowlist({ id, list_id, reason }: {
    id: string;
    list_id: string;
    reason?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}${QS.query(QS.explode({
        reason
    }))}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Publish an allowlist version and put it in force by a transaction of the deposit account
 */
export function commitAllowlist({ id, list_id, idempotencyKey, body }: {
    id: string;
    list_id: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: {
            id: string;
            /** Project id */
            project_id: string;
            /** One more than the highest version of the project so far; the number of a discarded draft may be used again */
            version: number;
            status: "draft" | "committed";
            /** Wallets on it */
            entries: number;
            /** SHA-256 of the bytes behind `url`; null while it is a draft */
            hash: string | null;
            /** The last `list` action on the ledger names this version */
            in_force: boolean;
            /** Actions that have put it in force, in ledger order */
            anchors: {
                transaction_hash: string;
                ledger_index: number;
                /** ISO 8601 UTC */
                applied_at: string;
            }[];
            /** The published entries as JSON Lines; null while it is a draft */
            url: string | null;
            committed_at: string | null;
            /** ISO 8601 UTC */
            created_at: string;
            pending_action: {
                action: "launch" | "pause" | "resume" | "end" | "cancel" | "list" | "assign";
                transaction_hash: string;
            } | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}/commit`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap
 */
export function addAllowlistEntries({ id, list_id, idempotencyKey, body }: {
    id: string;
    list_id: string;
    idempotencyKey?: string;
    body: {
        entries: {
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            wallet_address: string;
            /** What the wallet may invest in all, in XRP; null or left out: no limit of its own */
            cap_xrp?: string | null;
        }[];
        /** Line of your file on which the first entry stands: faults then name lines, also in later parts */
        first_line?: number;
        /** Why; stands in the audit log */
        reason?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Wallets that are new on the draft */
            added: number;
            /** Wallets whose cap is another now */
            changed: number;
            /** Wallets on the draft */
            entries: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}/entries`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Create a new version of a project’s allowlist from the wallets whose Platform ID has a level
 */
export function createAllowlistFromPlatformIds({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS */
        min_level: string;
        /** What each wallet may invest in listed tiers; null or left out: no limit of its own */
        cap_xrp?: string | null;
        /** Make it of this snapshot only, as a dry run showed it */
        ledger_index?: number;
        /** Only count */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            /** Wallets that qualify */
            wallets: number;
            min_level: string;
            /** What each of them held at least; 0 is any amount above zero */
            required_balance: string;
            /** Ledger of the snapshot */
            ledger_index: number;
            /** ISO 8601 UTC */
            synced_at: string;
            /** The draft with these wallets; null in a dry run */
            list: AllowList | null;
        };
    } | {
        status: 201;
        data: {
            dry_run: boolean;
            /** Wallets that qualify */
            wallets: number;
            min_level: string;
            /** What each of them held at least; 0 is any amount above zero */
            required_balance: string;
            /** Ledger of the snapshot */
            ledger_index: number;
            /** ISO 8601 UTC */
            synced_at: string;
            /** The draft with these wallets; null in a dry run */
            list: AllowList | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/lists/from-platform-ids`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Get what a sale has raised, what is releasable to its treasury now, and what must stay
 */
export function getRelease({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ReleaseAmounts;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/release`, {
        ...opts
    }));
}
/**
 * Release raised XRP to the treasury of the terms; a dry run answers 200 and writes nothing
 */
export function releaseRaised({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** Everything that is releasable when omitted */
        amount_xrp?: string;
        /** Your own name for it: asking again with the same one releases nothing more */
        release_id?: string;
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            /** What is released; in a dry run, what would be */
            amount_xrp: string;
            /** Null in a dry run */
            release: Release | null;
            /** With this release counted, a dry run apart */
            figures: ReleaseAmounts;
        };
    } | {
        status: 202;
        data: {
            dry_run: boolean;
            /** What is released; in a dry run, what would be */
            amount_xrp: string;
            /** Null in a dry run */
            release: Release | null;
            /** With this release counted, a dry run apart */
            figures: ReleaseAmounts;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/admin/projects/${encodeURIComponent(id)}/release`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the witnesses of all accounts with what each says of itself, at most 5 seconds old
 */
export function listWitnesses(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            witnesses: Witness[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/admin/witnesses", {
        ...opts
    }));
}
/**
 * Chat with the AI assistant
 */
export function chatWithAssistant({ body }: {
    body: {
        message: string;
        /** From an earlier answer; continues that conversation. One that is over begins a new one */
        conversation_id?: string;
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address?: string;
        project_id?: string;
        /** Who asks: their questions and guides come first. With a `project_id` an investor, unless given */
        audience?: "investor" | "developer" | "operator";
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Send it with the next message. Kept for an hour after the last one */
            conversation_id: string;
            /** Markdown without HTML and images; links lead to this platform or the explorer */
            reply: string;
            /** The pages where the figures of the reply stand */
            sources: {
                title: string;
                url: string;
            }[];
            /** What the reply shows from live data, for programs. A `pay` card is there only while a payment would buy something */
            cards: {
                kind: "pay" | "quote" | "sale" | "tag" | "exchange" | "refund" | "delivery" | "key";
                title: string;
                /** What the card shows, by name; amounts as decimals */
                facts: {
                    [key: string]: string;
                };
            }[];
            /** What may be asked next */
            suggestions: {
                title: string;
                prompt: string;
            }[];
            /** Who wrote the reply: a language model by its name, `built-in`, or `safety` for a fixed reply */
            model: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/ai-agent/chat", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * AI suggestions and help
 */
export function getAssistantSuggestions({ wallet_address, project_id, ifNoneMatch }: {
    wallet_address?: string;
    project_id?: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            suggestions: {
                title: string;
                prompt: string;
            }[];
            help: {
                title: string;
                text: string;
            }[];
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/ai-agent/suggestions${QS.query(QS.explode({
        wallet_address,
        project_id
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Create a challenge for a wallet to sign, valid for one try within five minutes
 */
export function createWalletChallenge({ body }: {
    body: {
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address: string;
        action: "revoke_key";
        /** The key to revoke; for `revoke_key` only */
        key_id: string;
    } | {
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address: string;
        action: "create_key" | "list_keys" | "set_display_name" | "sign_in";
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** `challenge_id` of the proof */
            id: string;
            /** Sign its UTF-8 bytes as they are; it names domain, network, action, wallet, nonce and end */
            message: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            wallet_address: any;
            /** ISO 8601 UTC */
            expires_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/api-keys/challenge", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * Create an API key: the wallet’s with a proof, the tenant’s with a key of it, else one of its own. It is shown once, in this answer.
 */
export function createApiKey({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address: string;
        /** A name of your own for the key */
        name?: string;
        /** What the key may do; left out, all scopes, or those of the key that asks */
        scopes?: ("webhooks:read" | "webhooks:write")[];
        /** Days until the key ends; it does not end when left out */
        expires_in_days?: number;
        /** Shows that a wallet’s key signed a challenge. A challenge is good for one try. */
        proof?: {
            /** `id` of the challenge */
            challenge_id: string;
            /** Public key that signed: the wallet’s master key or its current regular key */
            public_key: string;
            /** Signature over the UTF-8 bytes of the challenge’s `message` */
            signature: string;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** Identifier of the key */
            id: string;
            /** The key itself; store it now, it is never shown again */
            api_key: string;
            /** First characters of the key */
            prefix: string;
            /** The key belongs to the wallet, which proved itself */
            wallet_verified: boolean;
            scopes: ("webhooks:read" | "webhooks:write")[];
            /** ISO 8601 UTC */
            created_at: string;
            expires_at: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/api-keys/create", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the API keys of a wallet, newest first; names and scopes only for a key of their tenant
 */
export function listApiKeys({ wallet_address, cursor, limit }: {
    wallet_address: string;
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            api_keys: {
                /** Identifier of the key */
                id: string;
                /** First characters of the key */
                prefix: string;
                /** The key belongs to the wallet, which proved itself */
                wallet_verified: boolean;
                /** ISO 8601 UTC */
                created_at: string;
                expires_at: string | null;
                last_used_at: string | null;
                revoked_at: string | null;
                /** Only for a key or proof of its tenant */
                name?: string | null;
                /** Only for a key or proof of its tenant */
                scopes?: ("webhooks:read" | "webhooks:write")[];
            }[];
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/api-keys/list/${encodeURIComponent(wallet_address)}${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * List a wallet’s own API keys with names and scopes; each page needs a proof
 */
export function listProvenApiKeys({ wallet_address, cursor, limit, body }: {
    wallet_address: string;
    cursor?: string;
    limit?: number;
    body: {
        /** Shows that a wallet’s key signed a challenge. A challenge is good for one try. */
        proof: {
            /** `id` of the challenge */
            challenge_id: string;
            /** Public key that signed: the wallet’s master key or its current regular key */
            public_key: string;
            /** Signature over the UTF-8 bytes of the challenge’s `message` */
            signature: string;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            api_keys: {
                /** Identifier of the key */
                id: string;
                /** First characters of the key */
                prefix: string;
                /** The key belongs to the wallet, which proved itself */
                wallet_verified: boolean;
                /** ISO 8601 UTC */
                created_at: string;
                expires_at: string | null;
                last_used_at: string | null;
                revoked_at: string | null;
                /** Only for a key or proof of its tenant */
                name?: string | null;
                /** Only for a key or proof of its tenant */
                scopes?: ("webhooks:read" | "webhooks:write")[];
            }[];
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/api-keys/list/${encodeURIComponent(wallet_address)}${QS.query(QS.explode({
        cursor,
        limit
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * Revoke an API key, by itself or by its id and a proof of its wallet. Revoking it again gives the same answer.
 */
export function revokeApiKey({ body }: {
    body: {
        /** The key itself */
        api_key: string;
    } | {
        /** Its id, with a proof of the wallet that it belongs to */
        key_id: string;
        /** Shows that a wallet’s key signed a challenge. A challenge is good for one try. */
        proof: {
            /** `id` of the challenge */
            challenge_id: string;
            /** Public key that signed: the wallet’s master key or its current regular key */
            public_key: string;
            /** Signature over the UTF-8 bytes of the challenge’s `message` */
            signature: string;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the key */
            id: string;
            /** ISO 8601 UTC */
            revoked_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/api-keys/revoke", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * Get the holder statistics of the last snapshot
 */
export function holderStats({ token, project_id, ifNoneMatch }: {
    token?: string;
    project_id?: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The token: `<currency>.<issuer>`, or the MPT issuance id */
            token: string;
            /** The snapshot */
            sync_id: string;
            holders: number;
            /** What all holders have together */
            supply: string;
            /** Accounts with supply that is not in circulation; they count nowhere else */
            excluded: {
                accounts: number;
                /** Tokens, exact: six fractional digits, or more where there are more */
                balance: string;
            };
            top_10_share: number | null;
            top_100_share: number | null;
            /** Gini coefficient: 0 when all hold the same */
            gini: number | null;
            median: string | null;
            /** Holders by balance: `from` belongs to a step, `to` to the next one */
            histogram: {
                /** Tokens, exact: six fractional digits, or more where there are more */
                "from": string;
                to: string | null;
                holders: number;
            }[];
            change: {
                /** ISO 8601 UTC */
                since: string;
                ledger_index: number;
                holders: number;
                added: number;
                removed: number;
            } | null;
            /** The validated ledger that all of it was read from */
            ledger_index: number;
            /** ISO 8601 UTC */
            ledger_closed_at: string;
            /** When the snapshot was complete */
            synced_at: string;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/cron/holder-stats${QS.query(QS.explode({
        token,
        project_id
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Read the ledger, confirm investments, pay out, and wake deliveries: one slice
 */
export function processPayments(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            ledger: {
                "from": number | null;
                to: number | null;
            };
            recognised: number;
            confirmed: number;
            refused: number;
            tiers_completed: number;
            cancelled_investments: number;
            planned: number;
            payouts: {
                settled: number;
                submitted: number;
                validated: number;
                expired: number;
                waiting: number;
                held: number;
            };
            deliveries: {
                written: number;
                released: number;
                republished: number;
                pruned_events: number;
            };
            faults: string[];
            continued: boolean;
            duration_ms: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/cron/process-payments", {
        ...opts
    }));
}
/**
 * Take a snapshot of the holders: one slice, continued by the queue
 */
export function syncHolders(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Null when nothing could be begun */
            sync_id: string | null;
            token: string | null;
            /** Of the first token, the platform’s where it has one; `none` when there is no token */
            status: "none" | "running" | "complete" | "failed";
            ledger_index: number | null;
            /** While it runs: what has been read of them, excluded accounts among them */
            holders: number;
            /** Against the snapshot before; null without one, or while it runs */
            added: number | null;
            removed: number | null;
            pages: number;
            /** Every token that this slice has reached */
            syncs: {
                /** Null when nothing could be begun */
                sync_id: string | null;
                /** The token: `<currency>.<issuer>`, or the MPT issuance id */
                token: string;
                status: "running" | "complete" | "failed";
                ledger_index: number | null;
                /** While it runs: what has been read of them, excluded accounts among them */
                holders: number;
                /** Against the snapshot before; null without one, or while it runs */
                added: number | null;
                removed: number | null;
                pages: number;
            }[];
            /** What failed; the next run tries it again */
            faults: string[];
            /** The queue brings the next slice */
            continued: boolean;
            duration_ms: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/cron/sync-holders", {
        ...opts
    }));
}
/**
 * List the events that your webhooks could receive, oldest first, to catch up or to poll
 */
export function listEvents({ cursor, limit, types, project, min_amount_xrp, statuses, since }: {
    cursor?: string;
    limit?: number;
    types?: string;
    project?: string;
    min_amount_xrp?: string;
    statuses?: string;
    since?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Each is the same as the body that a webhook receives */
            events: (({
                event_type: "investment.created";
            } & InvestmentCreatedEvent) | ({
                event_type: "investment.confirmed";
            } & InvestmentConfirmedEvent) | ({
                event_type: "investment.failed";
            } & InvestmentFailedEvent) | ({
                event_type: "investment.tokens_distributed";
            } & InvestmentTokensDistributedEvent) | ({
                event_type: "investment.refunded";
            } & InvestmentRefundedEvent) | ({
                event_type: "project.launched";
            } & ProjectLaunchedEvent) | ({
                event_type: "project.tier_completed";
            } & ProjectTierCompletedEvent) | ({
                event_type: "project.milestone_reached";
            } & ProjectMilestoneReachedEvent) | ({
                event_type: "project.sale_ended";
            } & ProjectSaleEndedEvent) | ({
                event_type: "project.cancelled";
            } & ProjectCancelledEvent) | ({
                event_type: "system.maintenance_start";
            } & SystemMaintenanceStartEvent) | ({
                event_type: "system.maintenance_end";
            } & SystemMaintenanceEndEvent) | ({
                event_type: "system.network_status";
            } & SystemNetworkStatusEvent) | ({
                event_type: "system.webhook_disabled";
            } & SystemWebhookDisabledEvent) | ({
                event_type: "system.delivery_failed";
            } & SystemDeliveryFailedEvent) | ({
                event_type: "system.alert";
            } & SystemAlertEvent))[];
            /** Continue here, now or later. It is never null, and moves on when `events` is empty too */
            next_cursor: string;
            /** Whether to ask again at once. A page may be short, or empty, and have more */
            has_more: boolean;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/events${QS.query(QS.explode({
        cursor,
        limit,
        types,
        project,
        min_amount_xrp,
        statuses,
        since
    }))}`, {
        ...opts
    }));
}
/**
 * Get an event, as your webhooks could receive it
 */
export function getEvent({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: ({
            event_type: "investment.created";
        } & InvestmentCreatedEvent) | ({
            event_type: "investment.confirmed";
        } & InvestmentConfirmedEvent) | ({
            event_type: "investment.failed";
        } & InvestmentFailedEvent) | ({
            event_type: "investment.tokens_distributed";
        } & InvestmentTokensDistributedEvent) | ({
            event_type: "investment.refunded";
        } & InvestmentRefundedEvent) | ({
            event_type: "project.launched";
        } & ProjectLaunchedEvent) | ({
            event_type: "project.tier_completed";
        } & ProjectTierCompletedEvent) | ({
            event_type: "project.milestone_reached";
        } & ProjectMilestoneReachedEvent) | ({
            event_type: "project.sale_ended";
        } & ProjectSaleEndedEvent) | ({
            event_type: "project.cancelled";
        } & ProjectCancelledEvent) | ({
            event_type: "system.maintenance_start";
        } & SystemMaintenanceStartEvent) | ({
            event_type: "system.maintenance_end";
        } & SystemMaintenanceEndEvent) | ({
            event_type: "system.network_status";
        } & SystemNetworkStatusEvent) | ({
            event_type: "system.webhook_disabled";
        } & SystemWebhookDisabledEvent) | ({
            event_type: "system.delivery_failed";
        } & SystemDeliveryFailedEvent) | ({
            event_type: "system.alert";
        } & SystemAlertEvent);
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/events/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * List the holders of a token in the last snapshot, largest first
 */
export function listHolders({ token, project_id, cursor, limit, ifNoneMatch }: {
    token?: string;
    project_id?: string;
    cursor?: string;
    limit?: number;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The token: `<currency>.<issuer>`, or the MPT issuance id */
            token: string;
            /** The snapshot */
            sync_id: string;
            holders: Holder[];
            /** The validated ledger that all of it was read from */
            ledger_index: number;
            /** ISO 8601 UTC */
            ledger_closed_at: string;
            /** When the snapshot was complete */
            synced_at: string;
            /** Of this snapshot: when the next one is complete it answers 410, and the list begins anew */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/holders${QS.query(QS.explode({
        token,
        project_id,
        cursor,
        limit
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the holder statistics of every snapshot, newest first
 */
export function listHolderSnapshots({ token, project_id, cursor, limit, ifNoneMatch }: {
    token?: string;
    project_id?: string;
    cursor?: string;
    limit?: number;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** The token: `<currency>.<issuer>`, or the MPT issuance id */
            token: string;
            snapshots: HolderSnapshot[];
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/holders/history${QS.query(QS.explode({
        token,
        project_id,
        cursor,
        limit
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the investments of a wallet, newest first
 */
export function listInvestments({ cursor, limit, wallet_address, project_id, status, ifNoneMatch }: {
    cursor?: string;
    limit?: number;
    wallet_address: string;
    project_id?: string;
    status?: "pending_confirmation" | "confirmed" | "failed";
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            investments: Investment[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/investments${QS.query(QS.explode({
        cursor,
        limit,
        wallet_address,
        project_id,
        status
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get an investment with its allocation, payouts and refunds
 */
export function getInvestment({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Investment;
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/investments/${encodeURIComponent(id)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get this API as an OpenAPI 3.1 document
 */
export function getOpenapi({ ifNoneMatch }: {
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            openapi: string;
            paths: {
                [key: string]: any;
            };
            [key: string]: any;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/openapi.json", {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List what members of the tenant did, and what administrators did to its sales, newest first
 */
export function listOwnAudit({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            entries: AuditEntry[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/audit${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * List the open invitations of the tenant, oldest first
 */
export function listInvitations(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            invitations: Invitation[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/invitations", {
        ...opts
    }));
}
/**
 * Invite a wallet, for 7 days. Inviting it again replaces the invitation.
 */
export function inviteMember({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address: string;
        /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
        role: "viewer" | "editor" | "owner";
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Invitation;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/invitations", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Withdraw an invitation
 */
export function withdrawInvitation({ invitation_id }: {
    invitation_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/invitations/${encodeURIComponent(invitation_id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * End your own membership, and at once every session of it
 */
export function leaveTenant(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/me", {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Get who is signed in, the wallet’s memberships and its open invitations
 */
export function getMe(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            tenant: {
                /** Identifier of the tenant */
                id: string;
                /** The wallet that the tenant is of; it always stays an owner */
                wallet_address: string;
            };
            member: Member;
            session: {
                /** Identifier of the session */
                id: string;
                /** ISO 8601 UTC */
                created_at: string;
                /** ISO 8601 UTC */
                expires_at: string;
                /** The session that asks */
                current: boolean;
            };
            /** All of the wallet, this one among them; sign in with its `tenant.id` to act for another */
            memberships: {
                tenant: {
                    /** Identifier of the tenant */
                    id: string;
                    /** The wallet that the tenant is of; it always stays an owner */
                    wallet_address: string;
                };
                /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
                role: "viewer" | "editor" | "owner";
            }[];
            /** Deposit accounts on which owners may draft sales; where there are none, no owner can */
            deposit_accounts: string[];
            /** Open ones of the wallet, the newest 50 first; sign in with `invitation_id` to accept one */
            invitations: {
                /** Identifier of the invitation */
                id: string;
                tenant: {
                    /** Identifier of the tenant */
                    id: string;
                    /** The wallet that the tenant is of; it always stays an owner */
                    wallet_address: string;
                };
                /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
                role: "viewer" | "editor" | "owner";
                /** ISO 8601 UTC */
                expires_at: string;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/me", {
        ...opts
    }));
}
/**
 * List the members of the tenant, oldest first
 */
export function listMembers(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            members: Member[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/members", {
        ...opts
    }));
}
/**
 * End a membership, and at once every session of it
 */
export function removeMember({ member_id }: {
    member_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/members/${encodeURIComponent(member_id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Change the role of a member; it holds from their next request on
 */
export function changeMember({ member_id, body }: {
    member_id: string;
    body: {
        /** `viewer` reads; `editor` also drafts sales and their lists; `owner` also asks for launch and release, and manages members */
        role: "viewer" | "editor" | "owner";
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Member;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/members/${encodeURIComponent(member_id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    })));
}
/**
 * List the tenant’s sales, drafts included, newest first
 */
export function listOwnProjects({ cursor, limit, status }: {
    cursor?: string;
    limit?: number;
    status?: "draft" | "active" | "paused" | "completed" | "cancelled";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            projects: Project[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts
    }));
}
/**
 * Create a sale of the tenant as a draft
 */
export function createOwnProject({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        name: string;
        slug?: any;
        description?: string;
        website?: string | null;
        logo?: string | null;
        links?: {
            label: string;
            url: string;
        }[];
        team?: {
            name: string;
            role: string;
            url?: string | null;
        }[];
        documents?: {
            title: string;
            url: string;
            /** SHA-256 of the file, so that anyone can tell whether it was changed */
            sha256?: string | null;
        }[];
        token: {
            kind: "iou";
            /** Currency code of the token */
            currency: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            issuer: string;
            decimals?: number;
        } | {
            kind: "mpt";
            /** MPT issuance id */
            issuance_id: string;
            /** The AssetScale of the issuance */
            decimals: number;
        };
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        distributor: string;
        tiers: {
            /** Number of the tier; when given, tiers must count from 1 */
            tier?: number;
            /** XRP for one token, a positive decimal string of up to 12 fractional digits */
            price_per_token: string;
            /** Supply of the tier, a multiple of the token unit */
            total_tokens: string;
            access?: "open" | "allowlist";
            /** Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for */
            credential?: {
                /** The type as text */
                "type"?: string | null;
                /** The type in hexadecimal, as the ledger has it; in place of `type` */
                credential_type?: string;
                /** Accounts of which any one must have issued it */
                issuers: string[];
            } | null;
            /** The tier does not sell before this time, also when the tier before it is full */
            starts_at?: string | null;
        }[];
        starts_at?: string | null;
        ends_at?: string | null;
        /** Minimum payment: a smaller payment is refunded in full. If omitted, it is 1 XRP (or the setting DEFAULT_MIN_INVESTMENT_DROPS), at most max_per_wallet_xrp and what the whole sale costs; null for none, so that payments of one drop each cause payouts */
        min_investment_xrp?: string | null;
        /** Below it every payment is refunded; requires distribution "at_end" */
        soft_cap_xrp?: string | null;
        /** Over all payments of one wallet */
        max_per_wallet_xrp?: string | null;
        access?: "open" | "allowlist";
        distribution?: "immediate" | "at_end";
        vesting?: {
            /** Due at once, in hundredths of a percent */
            immediate_bps: number;
            cliff_days?: number;
            period_days?: number;
            periods?: number;
        } | null;
        treasury?: string | null;
        claim_days?: number;
        /** Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount */
        locks?: {
            /** Whose tokens they are, for investors */
            label: string;
            /** Destination of every escrow of the lock */
            receiver: string;
            /** Tokens that cannot move before `until`, a multiple of the token unit */
            amount: string;
            until: string;
            /** Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock */
            escrows?: string[];
        }[];
        /** When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none */
        unsold_until?: string | null;
        /** When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due */
        vesting_locked?: boolean;
        /** Account that receives the payments. Set RequireDest on it, so that nobody forgets the tag */
        deposit_address: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/projects", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Delete a draft of the tenant; its destination tag is never used again
 */
export function deleteOwnDraft({ id, reason }: {
    id: string;
    reason?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}${QS.query(QS.explode({
        reason
    }))}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Get one of the tenant’s sales, drafts included
 */
export function getOwnProject({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Change a draft of the tenant, or what the terms of a launched sale leave open
 */
export function patchOwnProject({ id, body }: {
    id: string;
    body: {
        name?: string;
        slug?: any;
        description?: string;
        website?: string | null;
        logo?: string | null;
        links?: {
            label: string;
            url: string;
        }[];
        team?: {
            name: string;
            role: string;
            url?: string | null;
        }[];
        documents?: {
            title: string;
            url: string;
            /** SHA-256 of the file, so that anyone can tell whether it was changed */
            sha256?: string | null;
        }[];
        token?: {
            kind: "iou";
            /** Currency code of the token */
            currency: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            issuer: string;
            decimals?: number;
        } | {
            kind: "mpt";
            /** MPT issuance id */
            issuance_id: string;
            /** The AssetScale of the issuance */
            decimals: number;
        };
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        distributor?: string;
        tiers?: {
            /** Number of the tier; when given, tiers must count from 1 */
            tier?: number;
            /** XRP for one token, a positive decimal string of up to 12 fractional digits */
            price_per_token: string;
            /** Supply of the tier, a multiple of the token unit */
            total_tokens: string;
            access?: "open" | "allowlist";
            /** Only wallets that hold this credential (XLS-70) buy in the tier, beside what `access` asks for */
            credential?: {
                /** The type as text */
                "type"?: string | null;
                /** The type in hexadecimal, as the ledger has it; in place of `type` */
                credential_type?: string;
                /** Accounts of which any one must have issued it */
                issuers: string[];
            } | null;
            /** The tier does not sell before this time, also when the tier before it is full */
            starts_at?: string | null;
        }[];
        starts_at?: string | null;
        ends_at?: string | null;
        /** Minimum payment: a smaller payment is refunded in full. null for none */
        min_investment_xrp?: string | null;
        /** Below it every payment is refunded; requires distribution "at_end" */
        soft_cap_xrp?: string | null;
        /** Over all payments of one wallet */
        max_per_wallet_xrp?: string | null;
        access?: "open" | "allowlist";
        distribution?: "immediate" | "at_end";
        vesting?: {
            /** Due at once, in hundredths of a percent */
            immediate_bps: number;
            cliff_days?: number;
            period_days?: number;
            periods?: number;
        } | null;
        treasury?: string | null;
        claim_days?: number;
        /** Tokens that cannot move before a time, proven by escrows on the ledger. The launch is refused until the escrows of each lock its amount */
        locks?: {
            /** Whose tokens they are, for investors */
            label: string;
            /** Destination of every escrow of the lock */
            receiver: string;
            /** Tokens that cannot move before `until`, a multiple of the token unit */
            amount: string;
            until: string;
            /** Hashes of the EscrowCreate transactions that prove it: of this token, to the receiver, with a FinishAfter not before `until`. Each proves one lock */
            escrows?: string[];
        }[];
        /** When the sale ends, the platform puts the tokens that were not sold in escrow, and they cannot move before this time: a whole second, 2 to 3650 days after ends_at. Needs ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. null for none */
        unsold_until?: string | null;
        /** When the sale ends, the platform puts the tokens that vesting still owes in escrow, and they cannot move before the day on which they are due; what is due within two days of the end is not locked. Needs vesting, ends_at and a token that can be held in escrow; not for a distributor that is the issuer, or under custody. At most 100 days may have tokens due */
        vesting_locked?: boolean;
        /** Why; stands in the audit log */
        reason?: string;
        deposit_address?: any;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    })));
}
/**
 * Pause, resume or end one of the tenant’s sales by a transaction of its deposit account
 */
export function actOnOwnProject({ id, action, idempotencyKey, body }: {
    id: string;
    action: "pause" | "resume" | "end";
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: Project;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/${encodeURIComponent(action)}`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the requests for approval of one of the tenant’s sales, newest first
 */
export function listOwnApprovals({ id, cursor, limit, status }: {
    id: string;
    cursor?: string;
    limit?: number;
    status?: "open" | "approved" | "refused" | "withdrawn" | "lapsed";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            approvals: Approval[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/approvals${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts
    }));
}
/**
 * Ask an administrator to approve the launch of one of the tenant’s sales, or a release to its treasury
 */
export function askForOwnApproval({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** What to approve */
        action: "launch" | "release";
        /** Of a release; everything that is releasable now when omitted */
        amount_xrp?: string;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: Approval;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/approvals`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Withdraw a request for approval that the tenant made
 */
export function withdrawOwnApproval({ id, approval_id, idempotencyKey, body }: {
    id: string;
    approval_id: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Approval;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/approvals/${encodeURIComponent(approval_id)}/withdraw`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the investments in one of the tenant’s sales, newest first
 */
export function listOwnInvestments({ id, cursor, limit, status }: {
    id: string;
    cursor?: string;
    limit?: number;
    status?: "pending_confirmation" | "confirmed" | "failed";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            investments: Investment[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/investments${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts
    }));
}
/**
 * List the wallets that bought in one of the tenant’s sales, those that invested most first
 */
export function listOwnInvestors({ id, search, cursor }: {
    id: string;
    search?: string;
    cursor?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            investors: {
                wallet_address: string;
                /** By confirmed payments; what a cancellation refunded counts */
                invested_xrp: string;
                /** Tokens, a decimal string with exactly six fractional digits */
                tokens: string;
                payments: number;
                /** ISO 8601 UTC */
                last_paid_at: string;
            }[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/investors${QS.query(QS.explode({
        search,
        cursor
    }))}`, {
        ...opts
    }));
}
/**
 * List all versions of the allowlist of one of the tenant’s sales, drafts included, newest first
 */
export function listOwnAllowlists({ id, cursor, limit }: {
    id: string;
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            lists: AllowList[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Create a new version of a project’s allowlist as an empty draft
 */
export function createOwnAllowlist({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: AllowList;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Discard an allowlist draft; a published version cannot be discarded
 */
export function discardOwnAllowlist({ id, list_id, reason }: {
    id: string;
    list_id: string;
    reason?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}${QS.query(QS.explode({
        reason
    }))}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Publish an allowlist version and put it in force by a transaction of the deposit account
 */
export function commitOwnAllowlist({ id, list_id, idempotencyKey, body }: {
    id: string;
    list_id: string;
    idempotencyKey?: string;
    body: {
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: {
            id: string;
            /** Project id */
            project_id: string;
            /** One more than the highest version of the project so far; the number of a discarded draft may be used again */
            version: number;
            status: "draft" | "committed";
            /** Wallets on it */
            entries: number;
            /** SHA-256 of the bytes behind `url`; null while it is a draft */
            hash: string | null;
            /** The last `list` action on the ledger names this version */
            in_force: boolean;
            /** Actions that have put it in force, in ledger order */
            anchors: {
                transaction_hash: string;
                ledger_index: number;
                /** ISO 8601 UTC */
                applied_at: string;
            }[];
            /** The published entries as JSON Lines; null while it is a draft */
            url: string | null;
            committed_at: string | null;
            /** ISO 8601 UTC */
            created_at: string;
            pending_action: {
                action: "launch" | "pause" | "resume" | "end" | "cancel" | "list" | "assign";
                transaction_hash: string;
            } | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}/commit`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Add up to 1 MiB of wallets to an allowlist draft; a wallet that is on it gets the new cap
 */
export function addOwnAllowlistEntries({ id, list_id, idempotencyKey, body }: {
    id: string;
    list_id: string;
    idempotencyKey?: string;
    body: {
        entries: {
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            wallet_address: string;
            /** What the wallet may invest in all, in XRP; null or left out: no limit of its own */
            cap_xrp?: string | null;
        }[];
        /** Line of your file on which the first entry stands: faults then name lines, also in later parts */
        first_line?: number;
        /** Why; stands in the audit log */
        reason?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Wallets that are new on the draft */
            added: number;
            /** Wallets whose cap is another now */
            changed: number;
            /** Wallets on the draft */
            entries: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists/${encodeURIComponent(list_id)}/entries`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Create a new version of a project’s allowlist from the wallets whose Platform ID has a level
 */
export function createOwnAllowlistFromPlatformIds({ id, idempotencyKey, body }: {
    id: string;
    idempotencyKey?: string;
    body: {
        /** The lowest level that is admitted: `holder`, or one of PLATFORM_ID_LEVELS */
        min_level: string;
        /** What each wallet may invest in listed tiers; null or left out: no limit of its own */
        cap_xrp?: string | null;
        /** Make it of this snapshot only, as a dry run showed it */
        ledger_index?: number;
        /** Only count */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            /** Wallets that qualify */
            wallets: number;
            min_level: string;
            /** What each of them held at least; 0 is any amount above zero */
            required_balance: string;
            /** Ledger of the snapshot */
            ledger_index: number;
            /** ISO 8601 UTC */
            synced_at: string;
            /** The draft with these wallets; null in a dry run */
            list: AllowList | null;
        };
    } | {
        status: 201;
        data: {
            dry_run: boolean;
            /** Wallets that qualify */
            wallets: number;
            min_level: string;
            /** What each of them held at least; 0 is any amount above zero */
            required_balance: string;
            /** Ledger of the snapshot */
            ledger_index: number;
            /** ISO 8601 UTC */
            synced_at: string;
            /** The draft with these wallets; null in a dry run */
            list: AllowList | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/lists/from-platform-ids`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the payments to one of the tenant’s sales, or those that are held, in ledger order
 */
export function listOwnPayments({ id, cursor, limit, status, reason, sort, min_amount_xrp, max_amount_xrp }: {
    id: string;
    cursor?: string;
    limit?: number;
    status?: "held" | "all";
    reason?: "no_tag" | "unknown_tag" | "not_active" | "before_start" | "after_end" | "between_tiers" | "below_minimum" | "above_wallet_cap" | "not_admitted" | "below_one_unit" | "sold_out" | "soft_cap_missed" | "cancelled" | "change" | "operating_funds" | "refund_bounced" | "late_discovery" | "not_a_payment";
    sort?: "oldest" | "amount";
    min_amount_xrp?: string;
    max_amount_xrp?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            payments: Payment[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
            /** All held payments that `reason`, `account` and `project_id` choose, by size, the largest first; empty with `status` all */
            groups: {
                /** Of which at least so much is held */
                from_xrp: string;
                /** And less than this; null is no bound */
                below_xrp: string | null;
                payments: number;
                /** In all */
                held_xrp: string;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/payments${QS.query(QS.explode({
        cursor,
        limit,
        status,
        reason,
        sort,
        min_amount_xrp,
        max_amount_xrp
    }))}`, {
        ...opts
    }));
}
/**
 * List the distributions, refunds, releases and locks of one of the tenant’s sales, due longest first, with a summary
 */
export function listOwnPayouts({ id, cursor, limit, status, kind, reason, account, destination, overdue }: {
    id: string;
    cursor?: string;
    limit?: number;
    status?: "scheduled" | "waiting_holder" | "ready" | "submitted" | "validated" | "held" | "cancelled" | "open" | "all";
    kind?: "distribution" | "refund" | "release" | "lock" | "unlock";
    reason?: ("destination_missing" | "destination_is_payer" | "destination_is_issuer" | "destination_tag_required" | "deposit_authorization_required" | "trust_line_missing" | "trust_line_unauthorized" | "trust_line_frozen" | "trust_line_limit" | "token_not_opted_in" | "token_unauthorized" | "token_locked" | "issuer_missing" | "issuer_frozen" | "issuance_missing" | "issuance_locked" | "issuance_maximum" | "asset_scale_differs" | "transfer_fee" | "transfer_not_allowed" | "escrow_not_allowed" | "lock_time_passed" | "lock_undecided" | "lock_not_made" | "escrow_not_due" | "payer_missing" | "payer_underfunded" | "payer_frozen" | "payer_key_disabled" | "payer_key_changed" | "facts_unreadable" | "fee_above_amount" | "release_below_floor" | "paid_elsewhere" | "signing_key_missing" | "signing_key_unfit" | "waiting_witnesses" | "witness_refused" | "database_behind" | "unsignable" | "hourly_ceiling" | "above_hourly_ceiling" | "operator_hold" | "cancelled" | "soft_cap_missed" | "invalidTransaction") | string;
    account?: string;
    destination?: string;
    overdue?: "true" | "false";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            payouts: Payout[];
            /** Everything that the filters let through, not this page alone; the most first */
            summary: {
                status: "scheduled" | "waiting_holder" | "ready" | "submitted" | "validated" | "held" | "cancelled";
                reason: string | null;
                payouts: number;
                overdue: number;
                /** Of refunds and releases */
                amount_xrp: string;
                /** ISO 8601 UTC */
                oldest_due_at: string;
                oldest_age_seconds: number;
            }[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/projects/${encodeURIComponent(id)}/payouts${QS.query(QS.explode({
        cursor,
        limit,
        status,
        kind,
        reason,
        account,
        destination,
        overdue
    }))}`, {
        ...opts
    }));
}
/**
 * List your own sessions that last, newest first
 */
export function listSessions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            sessions: {
                /** Identifier of the session */
                id: string;
                /** ISO 8601 UTC */
                created_at: string;
                /** ISO 8601 UTC */
                expires_at: string;
                /** The session that asks */
                current: boolean;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/sessions", {
        ...opts
    }));
}
/**
 * Sign in as a member by a wallet proof for the action `sign_in`, for 8 hours. The token is shown once, in this answer.
 */
export function signIn({ body }: {
    body: {
        /** Shows that a wallet’s key signed a challenge. A challenge is good for one try. */
        proof: {
            /** `id` of the challenge */
            challenge_id: string;
            /** Public key that signed: the wallet’s master key or its current regular key */
            public_key: string;
            /** Signature over the UTF-8 bytes of the challenge’s `message` */
            signature: string;
        };
        /** A tenant that the wallet is a member of; left out, the wallet’s own, made with its first sign-in */
        tenant_id?: string;
        /** An invitation of the wallet: signing in with it accepts it, and signs in to its tenant */
        invitation_id?: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** Send it as `Authorization: Bearer` to the operations under /api/owner; it opens nothing else */
            session_token: string;
            /** Identifier of the session */
            session_id: string;
            /** ISO 8601 UTC */
            expires_at: string;
            tenant: {
                /** Identifier of the tenant */
                id: string;
                /** The wallet that the tenant is of; it always stays an owner */
                wallet_address: string;
            };
            member: Member;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/owner/sessions", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * End one of your own sessions at once; the one that asks signs out
 */
export function endSession({ session_id }: {
    session_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/sessions/${encodeURIComponent(session_id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * List the webhooks of the tenant, newest first; its API keys change them
 */
export function listOwnWebhooks({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            webhooks: {
                /** Identifier of the webhook */
                id: string;
                /** HTTPS address of the receiver, port 443 or 8443, a public host */
                url: string;
                /** Event types it receives */
                events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
                /** Events of this project only, and those of no project (`system.…`); null: of every project */
                project_id: string | null;
                /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
                min_amount_xrp: string | null;
                /** Only events whose `status` is one of these, and those without a status; null: of any status */
                statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
                /** Events are sent while true */
                active: boolean;
                /** Free text of your own */
                description: string;
                /** Names of the `headers` that are sent with every attempt */
                header_names: string[];
                /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
                rate_limit: number | null;
                /** When the platform deactivated it; null once it is active again */
                disabled_at: string | null;
                /** Why: a last attempt was answered 410, or every attempt failed for five days */
                disabled_reason: ("gone" | "failing") | null;
                /** Since when every attempt has failed; null after a success */
                failing_since: string | null;
                /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
                backlog_full: boolean;
                /** Version of its events, pinned at registration */
                api_version: string;
                /** While a rotation of the secret is under way: since when, and when it commits itself */
                secret_rotation: {
                    /** ISO 8601 UTC */
                    started_at: string;
                    /** ISO 8601 UTC */
                    ends_at: string;
                } | null;
                /** ISO 8601 UTC */
                created_at: string;
                /** ISO 8601 UTC */
                updated_at: string;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/webhooks${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * List the deliveries of one of the tenant’s webhooks, newest first
 */
export function listOwnDeliveries({ webhook_id, cursor, limit, status, event_type, from, to }: {
    webhook_id: string;
    cursor?: string;
    limit?: number;
    status?: "pending" | "retrying" | "success" | "failed" | "cancelled";
    event_type?: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
    from?: string;
    to?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            deliveries: {
                /** Identifier of the delivery */
                id: string;
                /** Identifier of the event */
                event_id: string;
                /** Type of the event */
                event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
                /** Where the delivery stands */
                status: "pending" | "retrying" | "success" | "failed" | "cancelled";
                /** Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status */
                cancelled_reason: ("webhook_paused" | "webhook_disabled" | "webhook_deleted" | "backlog_full" | "replay_cancelled" | "event_pruned" | "event_erased") | null;
                /** HTTP status of the newest answer; null where none came */
                response_code: number | null;
                delivered_at: string | null;
                /** Duration of the newest attempt, milliseconds */
                duration_ms: number | null;
                /** Attempts made, of at most seven */
                attempts: number;
                /** The first delivery of the same event, which this one repeats; null for that one itself */
                resend_of: string | null;
                /** The replay that made it, if one did */
                replay_id: string | null;
                /** The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again */
                pruned: boolean;
                /** ISO 8601 UTC */
                created_at: string;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/owner/webhooks/${encodeURIComponent(webhook_id)}/deliveries${QS.query(QS.explode({
        cursor,
        limit,
        status,
        event_type,
        from,
        to
    }))}`, {
        ...opts
    }));
}
/**
 * Create a wallet’s Platform ID (201) or get the one that it has (200); set its display name with a proof
 */
export function generatePlatformId({ body }: {
    body: {
        /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
        wallet_address: string;
        /** Name to be shown by; asks for a `proof` of the wallet */
        display_name?: string;
        /** Of a challenge for `set_display_name` (POST /api/api-keys/challenge); goes with `display_name` */
        proof?: {
            /** `id` of the challenge */
            challenge_id: string;
            /** Public key that signed: the wallet’s master key or its current regular key */
            public_key: string;
            /** Signature over the UTF-8 bytes of the challenge’s `message` */
            signature: string;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Platform ID of the wallet; its last character is a check */
            platform_id: string;
            /** Ledger account address, in its classic form */
            wallet_address: string;
            /** Set by a proof of the wallet */
            display_name: string | null;
            level: string | null;
            /** ISO 8601 UTC */
            created_at: string;
        };
    } | {
        status: 201;
        data: {
            /** Platform ID of the wallet; its last character is a check */
            platform_id: string;
            /** Ledger account address, in its classic form */
            wallet_address: string;
            /** Set by a proof of the wallet */
            display_name: string | null;
            level: string | null;
            /** ISO 8601 UTC */
            created_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/platform-id/generate", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * Get the profile of a wallet with a Platform ID: level, holdings, badges, investments
 */
export function getPlatformIdProfile({ wallet_address, ifNoneMatch }: {
    wallet_address: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Ledger account address, in its classic form */
            wallet_address: string;
            /** Platform ID of the wallet; its last character is a check */
            platform_id: string;
            /** Set by a proof of the wallet */
            display_name: string | null;
            level: string | null;
            /** What the wallet holds; null when no snapshot counts it */
            holdings: string | null;
            /** Part of what all holders have, 0 to 1, to six decimals */
            share: number | null;
            /** 1 for the largest holder; null for a wallet without tokens */
            rank: number | null;
            /** From facts only: docs/platform-id.md says which */
            badges: {
                name: "early_investor" | "investor" | "multi_project_investor" | "top_100_holder" | "one_year_member";
                /** ISO 8601 UTC */
                earned_at: string;
            }[];
            /** Over all projects; times are close times of the payments’ ledgers */
            investments: {
                /** Confirmed investments */
                count: number;
                /** Projects that they are in */
                projects: number;
                /** XRP allocated by them */
                total_xrp: string;
                first_at: string | null;
                last_at: string | null;
            };
            ledger_index: number | null;
            synced_at: string | null;
            /** When the Platform ID was given */
            created_at: string;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/platform-id/profile/${encodeURIComponent(wallet_address)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get whether a wallet has a Platform ID or can have one; if not, why, and what to do
 */
export function getPlatformIdStatus({ wallet_address, ifNoneMatch }: {
    wallet_address: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Ledger account address, in its classic form */
            wallet_address: string;
            /** Given once, it stays, whatever becomes of the balance */
            has_platform_id: boolean;
            platform_id: string | null;
            /** By the last snapshot of the holders of the platform token */
            eligible: boolean;
            /** Why it is not eligible */
            reason: ("no_platform_token" | "no_snapshot" | "excluded_account" | "no_balance" | "balance_too_low") | null;
            /** The same in a sentence */
            explanation: string | null;
            /** The next step towards a Platform ID; null when there is one */
            next_step: string | null;
            /** What to hold; null: any amount above zero */
            required_balance: string | null;
            /** What the wallet held; null when no snapshot counts it */
            balance: string | null;
            level: string | null;
            ledger_index: number | null;
            synced_at: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/platform-id/status/${encodeURIComponent(wallet_address)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the portal links of the key’s tenant, newest first
 */
export function listPortalLinks({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            portal_links: {
                /** Identifier of the link */
                id: string;
                /** The API key that made it, and with which it ends */
                key_id: string;
                /** It changes nothing */
                read_only: boolean;
                /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
                project_id: string | null;
                /** Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may */
                frame_origins: string[];
                /** ISO 8601 UTC */
                created_at: string;
                /** It can be opened once, before this time */
                opens_until: string;
                /** When it was opened; null until then */
                opened_at: string | null;
                /** When what it opened ends */
                expires_at: string;
                /** When it was ended before its time; null otherwise */
                ended_at: string | null;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/portal-links${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Create a link to the webhook portal, good for one opening within five minutes. It is shown once, in this answer.
 */
export function createPortalLink({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** The visitor sees webhooks and changes nothing */
        read_only?: boolean;
        /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
        project_id?: string | null;
        /** Seconds from now until what the link opened ends */
        expires_in_seconds?: number;
        /** Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may */
        frame_origins?: string[];
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** Identifier of the link */
            id: string;
            /** The API key that made it, and with which it ends */
            key_id: string;
            /** It changes nothing */
            read_only: boolean;
            /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
            project_id: string | null;
            /** Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may */
            frame_origins: string[];
            /** ISO 8601 UTC */
            created_at: string;
            /** It can be opened once, before this time */
            opens_until: string;
            /** When it was opened; null until then */
            opened_at: string | null;
            /** When what it opened ends */
            expires_at: string;
            /** When it was ended before its time; null otherwise */
            ended_at: string | null;
            /** The link. It is a secret until it is opened: only its first visitor gets in */
            url: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/portal-links", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * End a portal link, and at once what was opened by it. Ending it again gives the same answer.
 */
export function endPortalLink({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the link */
            id: string;
            /** The API key that made it, and with which it ends */
            key_id: string;
            /** It changes nothing */
            read_only: boolean;
            /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
            project_id: string | null;
            /** Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may */
            frame_origins: string[];
            /** ISO 8601 UTC */
            created_at: string;
            /** It can be opened once, before this time */
            opens_until: string;
            /** When it was opened; null until then */
            opened_at: string | null;
            /** When what it opened ends */
            expires_at: string;
            /** When it was ended before its time; null otherwise */
            ended_at: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/portal-links/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Get a portal link with what was done by it
 */
export function getPortalLink({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the link */
            id: string;
            /** The API key that made it, and with which it ends */
            key_id: string;
            /** It changes nothing */
            read_only: boolean;
            /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
            project_id: string | null;
            /** Origins whose pages may show the portal in a frame: https, or http on localhost; every page around it must be of one of them. None: no page may */
            frame_origins: string[];
            /** ISO 8601 UTC */
            created_at: string;
            /** It can be opened once, before this time */
            opens_until: string;
            /** When it was opened; null until then */
            opened_at: string | null;
            /** When what it opened ends */
            expires_at: string;
            /** When it was ended before its time; null otherwise */
            ended_at: string | null;
            /** What was changed, the newest first, at most 100 */
            audit: {
                /** What was done */
                action: "webhook.register" | "webhook.update" | "webhook.delete" | "webhook.rotate_secret" | "webhook.commit_secret" | "webhook.cancel_rotation" | "webhook.test" | "webhook.resend" | "webhook.replay" | "webhook.cancel_replay";
                /** Identifier of the webhook */
                webhook_id: string;
                /** Names the request */
                request_id: string;
                /** ISO 8601 UTC */
                created_at: string;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/portal-links/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Open a portal link: exchange its token, once, for that of a session. The page of the portal does this.
 */
export function openPortalLink({ body }: {
    body: {
        /** The part of the link after the number sign */
        link_token: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** Send it as `Authorization: Bearer` with the webhook operations that take it; it opens nothing else */
            session_token: string;
            /** ISO 8601 UTC */
            expires_at: string;
            read_only: boolean;
            /** Only webhooks of this project are seen and made; null: all webhooks of the key’s tenant */
            project_id: string | null;
            /** The wallet that the key is of */
            wallet_address: string;
            /** First characters of the key */
            key_prefix: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/portal-sessions", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * List launched projects, newest first
 */
export function listProjects({ cursor, limit, status, ifNoneMatch }: {
    cursor?: string;
    limit?: number;
    status?: "active" | "paused" | "completed" | "cancelled";
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            projects: Project[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get a project with its tiers and progress
 */
export function getProject({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: Project;
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the exceptions of a sale: assigned payments, late discoveries and operators’ refunds, newest first
 */
export function listExceptions({ id, cursor, limit, ifNoneMatch }: {
    id: string;
    cursor?: string;
    limit?: number;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            exceptions: SaleException[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/exceptions${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get what a sale has raised over time, in at most 96 steps
 */
export function getRaisedHistory({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Project id */
            project_id: string;
            /** Equal steps from the first payment to the last; one in which nobody paid is left out. From 10,000 investors on they are up to a minute old */
            points: {
                /** Close time of the last ledger of the step */
                at: string;
                /** Invested up to then, refunds of a cancelled sale included */
                raised_xrp: string;
                /** Confirmed investments up to then */
                investments: number;
            }[];
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/history`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the investments in a sale, newest first
 */
export function listProjectInvestments({ id, cursor, limit, status, ifNoneMatch }: {
    id: string;
    cursor?: string;
    limit?: number;
    status?: "pending_confirmation" | "confirmed" | "failed";
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            investments: Investment[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/investments${QS.query(QS.explode({
        cursor,
        limit,
        status
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * List the published versions of a project’s allowlist, newest first
 */
export function listAllowlists({ id, cursor, limit, ifNoneMatch }: {
    id: string;
    cursor?: string;
    limit?: number;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            lists: AllowList[];
            /** Pass as `cursor` for the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/lists${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Quote a payment: what an amount would buy now, tier by tier, and what would be refunded
 */
export function quoteInvestment({ id, amount_xrp, wallet_address }: {
    id: string;
    amount_xrp: string;
    wallet_address?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Project id */
            project_id: string;
            wallet_address: string | null;
            /** XRP, a decimal string with exactly six fractional digits */
            amount_xrp: string;
            /** Every payment up to this ledger is counted */
            ledger_index: number;
            accepted: boolean;
            /** The deposit account is halted: what is paid now is decided once it is resumed, by its ledger position */
            halted: boolean;
            /** Why it would be refused, or why a part would be refunded */
            reason: string | null;
            /** Whether the wallet is on the list in force and holds the credentials, where unsold tiers ask for them; `assumed` without a wallet, and where a credential decides while the sale is not active or its account is halted */
            admission: "not_required" | "admitted" | "not_admitted" | "assumed";
            /** The credential of each unsold tier that requires one; empty without a wallet, and while the sale is not active or its account is halted */
            credentials: {
                tier: number;
                /** The type as text; null when it is no plain text */
                "type": string | null;
                credential_type: string;
                issuers: string[];
                /** What the wallet has in ledger `ledger_index`: `valid`, `none`, `not_accepted` (it was issued; CredentialAccept accepts it) or `expired`; of several issuers the best */
                status: "valid" | "none" | "not_accepted" | "expired";
                /** Who issued what the wallet has */
                issuer: string | null;
                expires_at: string | null;
            }[];
            /** What the wallet may still invest in total, and in tiers with an allowlist; null for no limit */
            limits: {
                remaining_xrp: string | null;
                remaining_listed_xrp: string | null;
            };
            allocation: {
                tier: number;
                /** XRP for one token, a decimal string */
                price_per_token: string;
                /** XRP, a decimal string with exactly six fractional digits */
                amount_xrp: string;
                /** Tokens, a decimal string with exactly six fractional digits */
                tokens: string;
            }[];
            /** Tokens, a decimal string with exactly six fractional digits */
            total_tokens: string;
            /** XRP, a decimal string with exactly six fractional digits */
            invested_xrp: string;
            /** Change too small to refund; included in the last part */
            rounding_xrp: string;
            /** XRP, a decimal string with exactly six fractional digits */
            refunded_xrp: string;
            /** A refused payment too small to refund */
            held_xrp: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/quote${QS.query(QS.explode({
        amount_xrp,
        wallet_address
    }))}`, {
        ...opts
    }));
}
/**
 * Get the terms of a sale as canonical JSON, with their SHA-256 and the launch that anchors them
 */
export function getTerms({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Project id */
            project_id: string;
            /** RFC 8785 JSON; its UTF-8 bytes are what the hash is of */
            canonical: string;
            sha256: string;
            anchor: {
                transaction_hash: string;
                ledger_index: number;
            } | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/terms`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get what the issuer can still do with the token, read from the ledger now
 */
export function getProjectToken({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Project id */
            project_id: string;
            token: {
                kind: "iou";
                currency: string;
                issuer: string;
                /** Newest validated ledger when this was read */
                ledger_index: number;
                /** Nobody can sign for the issuer any more: it can do nothing */
                issuer_black_holed: boolean;
                can_mint: boolean;
                /** One holder, or all at once */
                can_freeze: boolean;
                /** All holders are frozen now */
                global_freeze: boolean;
                can_claw_back: boolean;
                /** Nobody holds the token without the issuer’s consent */
                requires_authorization: boolean;
                /** Of each transfer between holders, in percent */
                transfer_fee_percent: number;
                can_charge_transfer_fee: boolean;
                /** Holders can pass the token on to each other */
                default_ripple: boolean;
            } | {
                kind: "mpt";
                issuance_id: string;
                issuer: string;
                /** Newest validated ledger when this was read */
                ledger_index: number;
                /** Nobody can sign for the issuer any more: it can do nothing */
                issuer_black_holed: boolean;
                can_mint: boolean;
                /** Tokens, a decimal string with exactly six fractional digits */
                outstanding_tokens: string;
                /** Tokens, a decimal string with exactly six fractional digits */
                maximum_tokens: string;
                /** One holder, or all at once */
                can_lock: boolean;
                /** All holders are locked now */
                locked: boolean;
                can_claw_back: boolean;
                /** Nobody holds the token without the issuer’s consent */
                requires_authorization: boolean;
                /** Of each transfer between holders, in percent */
                transfer_fee_percent: number;
                /** Holders can pass the token on to each other */
                can_transfer: boolean;
                can_trade: boolean;
                can_escrow: boolean;
                /** What the issuer has given up changing. On a ledger with the amendment DynamicMPT, whatever is not listed may still be switched on */
                declared_immutable: ("can_lock" | "requires_authorization" | "can_escrow" | "can_trade" | "can_transfer" | "can_claw_back" | "transfer_fee")[];
            };
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/token`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Get what anyone needs to verify a sale, and the result of the platform’s last verification
 */
export function getVerification({ id, ifNoneMatch }: {
    id: string;
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Project id */
            project_id: string;
            deposit_account: {
                address: string;
                network_id: number;
                /** The feed starts after this ledger */
                registered_ledger: number;
                /** The last one that `as_of` may name */
                confirmed_ledger: number;
                /** Smallest refund of a payment that belongs to no project */
                refund_min_xrp: string;
            };
            anchors: {
                launch: {
                    transaction_hash: string;
                    ledger_index: number;
                    terms_hash: string;
                } | null;
                lists: {
                    transaction_hash: string;
                    ledger_index: number;
                    list_id: string;
                    list_hash: string;
                    /** ISO 8601 UTC */
                    applied_at: string;
                }[];
            };
            /** Verifies the sale from anywhere; it needs no secret */
            command: string;
            /** A run of the platform’s own is under way */
            running: boolean;
            last_run: {
                id: string;
                as_of_ledger: number;
                /** `unchecked`: nothing differs, and not everything could be checked */
                verdict: "agrees" | "differs" | "unchecked";
                payments: number;
                payouts: number;
                differences: number;
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ended_at: string;
                report: VerificationReport;
            } | null;
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/projects/${encodeURIComponent(id)}/verification`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * QStash callback: the next slice of background work
 */
export function continueJob({ body }: {
    body: {
        job: string;
        /** Of a job whose runs take several slices: the run to go on with */
        run?: string;
        /** The slice before it */
        slice?: string | number;
        /** Where that one stopped; what it is, the job says */
        cursor?: any;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            job: string;
            continued: boolean;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/queue/continue", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * QStash callback: make one attempt of a delivery
 */
export function attemptDelivery({ body }: {
    body: {
        /** Identifier of the delivery */
        delivery_id: string;
        /** Number of the attempt */
        attempt: number;
        /** How many callbacks of this attempt were published before this one */
        republished?: number;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            outcome: "success" | "failed" | "retrying" | "cancelled" | "not_claimed" | "postponed";
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/queue/deliver", oazapfts.json({
        ...opts,
        method: "POST",
        body
    })));
}
/**
 * Pay out due tokens now, chosen by sale or by investment
 */
export function issueTokens({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        project_id: string;
        investment_ids?: string[];
        /** Payouts tried by this call at most, those due longest first */
        limit?: number;
        /** Dry run: report what would be done and change nothing */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        project_id?: string;
        investment_ids: string[];
        /** Payouts tried by this call at most, those due longest first */
        limit?: number;
        /** Dry run: report what would be done and change nothing */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            /** Due and unpaid, within the limit: what this call tried */
            selected: number;
            /** Due and unpaid beyond the limit: call again */
            beyond_limit: number;
            outcomes: {
                /** Submitted by this call, or at the same time by another; in a dry run, would be */
                submitted: number;
                /** Submitted and already paid */
                validated: number;
                /** Payable, and paid by the next runs: tickets, the hour or the time of this call did not reach */
                queued: number;
                /** Cannot be paid now: its reason says why */
                waiting: number;
                /** Waits for a person: its reason says why */
                held: number;
                /** Its sale is cancelled, or an account is halted */
                stopped: number;
                /** Was submitted before this call */
                under_way: number;
                /** Was paid before this call; never paid again */
                already_paid: number;
                /** Not due: a later vesting part, or the sale has not ended */
                not_due: number;
                /** Refunded in XRP */
                cancelled: number;
                /** The investment is not confirmed */
                nothing_owed: number;
            };
            /** What was tried and not paid; of investments asked for by id, also why nothing was tried */
            refusals: {
                investment_id: string;
                /** Null when the investment has no payout */
                payout_id: string | null;
                part: number | null;
                due_at: string | null;
                outcome: "submitted" | "validated" | "queued" | "waiting" | "held" | "stopped" | "under_way" | "already_paid" | "not_due" | "cancelled" | "nothing_owed";
                reason: string;
            }[];
            /** The next run of process-payments goes on with it */
            continued: boolean;
            duration_ms: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/system/issue-tokens", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Read given transactions or ledgers again, compare them with the records, and write the missing ones
 */
export function processTransactions({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        transaction_hashes: string[];
        /** Only this deposit account; every one when left out */
        account?: string;
        /** Dry run: report what would be done and change nothing */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    } | {
        from_ledger: number;
        to_ledger: number;
        /** Only this deposit account; every one when left out */
        account?: string;
        /** Dry run: report what would be done and change nothing */
        dry_run?: boolean;
        /** Why; stands in the audit log */
        reason: string;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: boolean;
            from_ledger: number | null;
            /** Last ledger read whole; null for single transactions */
            through_ledger: number | null;
            /** Where to go on when the range held too much for one call */
            next_from_ledger: number | null;
            /** Transactions that concern a deposit account */
            found: number;
            known: number;
            /** Were missing and are now recorded; in a dry run, would be recorded */
            recorded: number;
            /** Not read yet: the feed will bring them */
            ahead: number;
            /** Recorded differently from the ledger; never overwritten */
            differs: number;
            /** Validated, and of no deposit account */
            not_ours: number;
            /** In no validated ledger since the first deposit account was registered */
            not_found: number;
            /** Each one asked for; of a range, the first 500 that are not known */
            transactions: {
                transaction_hash: string;
                outcome: "known" | "recorded" | "ahead" | "differs" | "not_ours" | "not_found";
                account: string | null;
                kind: ("payment" | "action" | "change") | null;
                ledger_index: number | null;
                transaction_index: number | null;
                /** What it did to the account’s XRP */
                change_xrp: string | null;
                /** Discovered late: a payment is held, an action has no effect */
                late_discovery: boolean;
                differences: {
                    field: string;
                    recorded: (string | number) | null;
                    ledger: (string | number) | null;
                }[];
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/system/process-transactions", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Real-time system health and metrics
 */
export function getSystemStatus(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: SystemStatus;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/system/status", {
        ...opts
    }));
}
/**
 * Check every holder with a due distribution, and the health of every paying account
 */
export function trustlineMonitor(opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Distributions that waited and were looked at */
            checked: number;
            /** Payable now, and on their way */
            ready: number;
            /** No trust line, no opt-in to the MPT, or no account any more */
            missing: number;
            limit_too_low: number;
            /** The line is frozen, or the MPT locked, for this holder or for all */
            frozen: number;
            unauthorised: number;
            /** The holder’s account refuses it, or the paying account must be seen to: its row says why */
            other: number;
            /** Time budget used up: the counts are of this slice, and the next slice continues */
            continued: boolean;
            accounts: {
                address: string;
                roles: ("deposit" | "distributor")[];
                /** No finding above info */
                healthy: boolean;
                /** Null when the ledger’s answer could not be read */
                exists: boolean | null;
                flags: {
                    require_destination_tag: boolean;
                    deposit_authorization: boolean;
                    master_key_disabled: boolean;
                    default_ripple: boolean;
                    global_freeze: boolean;
                    no_freeze: boolean;
                } | null;
                regular_key: string | null;
                balance_xrp: string | null;
                reserve_xrp: string | null;
                /** Beyond the reserve and a float for fees */
                spendable_xrp: string | null;
                /** Refunds and releases to be paid, held amounts included */
                liabilities_xrp: string;
                /** liabilities_xrp with fees, tickets and escrows of all outstanding payouts */
                needed_xrp: string | null;
                outstanding_payouts: number;
                tickets: number | null;
                tokens: {
                    kind: "iou" | "mpt";
                    currency: string | null;
                    issuer: string | null;
                    issuance_id: string | null;
                    /** What the distributor can give out; null when it issues without a limit */
                    held: string | null;
                    /** Over all its sales: payouts not validated, and what is not sold yet */
                    owed: string;
                    transfer_fee: boolean;
                    /** Frozen or locked for all holders */
                    frozen: boolean;
                }[];
                findings: {
                    code: "account_missing" | "unreadable" | "key_missing" | "key_unfit" | "deposit_authorization" | "destination_tag_optional" | "xrp_short" | "xrp_low" | "issuer_missing" | "default_ripple_off" | "issuer_frozen" | "transfer_fee" | "not_transferable" | "payer_not_opted_in" | "payer_unauthorised" | "payer_frozen" | "tokens_short" | "issuer_can_freeze" | "issuer_can_claw_back";
                    /** critical: payouts or payments fail now; warning: they will; info: worth knowing */
                    severity: "info" | "warning" | "critical";
                    /** currency.issuer or MPT issuance id; null when it concerns the account itself */
                    token: string | null;
                    /** What was found, and what to do next */
                    message: string;
                }[];
            }[];
            duration_ms: number;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/system/trustline-monitor", {
        ...opts
    }));
}
/**
 * List webhooks, newest first
 */
export function listWebhooks({ cursor, limit }: {
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            webhooks: {
                /** Identifier of the webhook */
                id: string;
                /** HTTPS address of the receiver, port 443 or 8443, a public host */
                url: string;
                /** Event types it receives */
                events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
                /** Events of this project only, and those of no project (`system.…`); null: of every project */
                project_id: string | null;
                /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
                min_amount_xrp: string | null;
                /** Only events whose `status` is one of these, and those without a status; null: of any status */
                statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
                /** Events are sent while true */
                active: boolean;
                /** Free text of your own */
                description: string;
                /** Names of the `headers` that are sent with every attempt */
                header_names: string[];
                /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
                rate_limit: number | null;
                /** When the platform deactivated it; null once it is active again */
                disabled_at: string | null;
                /** Why: a last attempt was answered 410, or every attempt failed for five days */
                disabled_reason: ("gone" | "failing") | null;
                /** Since when every attempt has failed; null after a success */
                failing_since: string | null;
                /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
                backlog_full: boolean;
                /** Version of its events, pinned at registration */
                api_version: string;
                /** While a rotation of the secret is under way: since when, and when it commits itself */
                secret_rotation: {
                    /** ISO 8601 UTC */
                    started_at: string;
                    /** ISO 8601 UTC */
                    ends_at: string;
                } | null;
                /** ISO 8601 UTC */
                created_at: string;
                /** ISO 8601 UTC */
                updated_at: string;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/webhooks${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Delete a webhook. Its waiting deliveries are cancelled.
 */
export function deleteWebhook({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** ISO 8601 UTC */
            deleted_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/webhooks/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Get a webhook
 */
export function getWebhook({ id }: {
    id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/webhooks/${encodeURIComponent(id)}`, {
        ...opts
    }));
}
/**
 * Update a webhook. Fields left out stay as they are.
 */
export function updateWebhook({ id, body }: {
    id: string;
    body: {
        /** HTTPS address of the receiver, port 443 or 8443, a public host */
        url?: string;
        /** Event types to receive; all when left out. `system.alert` is for administrators’ webhooks only */
        events?: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
        /** Events of this project only, and those of no project (`system.…`); null: of every project */
        project_id?: string | null;
        /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
        min_amount_xrp?: string | null;
        /** Only events whose `status` is one of these, and those without a status; null: of any status */
        statuses?: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
        /** Events are sent while true */
        active?: boolean;
        /** Free text of your own */
        description?: string;
        /** Headers that are sent with every attempt, at most 16, for example for a gateway before your receiver. The values are never shown again. On a change they replace all that were set; `{}` removes them */
        headers?: {
            [key: string]: string;
        };
        /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
        rate_limit?: number | null;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/api/webhooks/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body
    })));
}
/**
 * List the event types with an example of each
 */
export function listEventTypes({ ifNoneMatch }: {
    ifNoneMatch?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            event_types: {
                /** Type of the event */
                "type": "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
                category: "investment" | "project" | "system";
                description: string;
                /** Whose webhooks receive it: of everyone, of the owner of what it is about, or of administrators only */
                recipients: "everyone" | "owner" | "administrators";
                /** A whole event as it is sent */
                example: {
                    /** Type of the event */
                    event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
                    event_id: string;
                    /** ISO 8601 UTC */
                    timestamp: string;
                    api_version: string;
                    data: {
                        [key: string]: any;
                    };
                };
            }[];
        };
    } | {
        status: 304;
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/api/webhooks/event-types", {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-None-Match": ifNoneMatch
        })
    }));
}
/**
 * Register a webhook. Its signing secret is shown once, in this answer.
 */
export function registerWebhook({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** HTTPS address of the receiver, port 443 or 8443, a public host */
        url: string;
        /** Event types to receive; all when left out. `system.alert` is for administrators’ webhooks only */
        events?: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
        /** Events of this project only, and those of no project (`system.…`); null: of every project */
        project_id?: string | null;
        /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
        min_amount_xrp?: string | null;
        /** Only events whose `status` is one of these, and those without a status; null: of any status */
        statuses?: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
        /** Events are sent while true */
        active?: boolean;
        /** Free text of your own */
        description?: string;
        /** Headers that are sent with every attempt, at most 16, for example for a gateway before your receiver. The values are never shown again. On a change they replace all that were set; `{}` removes them */
        headers?: {
            [key: string]: string;
        };
        /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
        rate_limit?: number | null;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 201;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
            /** Signing secret (whsec_…); store it now, it is never shown again */
            secret: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/webhooks", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * List the deliveries of a webhook, newest first
 */
export function listDeliveries({ webhook_id, cursor, limit, status, event_type, from, to }: {
    webhook_id: string;
    cursor?: string;
    limit?: number;
    status?: "pending" | "retrying" | "success" | "failed" | "cancelled";
    event_type?: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
    from?: string;
    to?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            deliveries: {
                /** Identifier of the delivery */
                id: string;
                /** Identifier of the event */
                event_id: string;
                /** Type of the event */
                event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
                /** Where the delivery stands */
                status: "pending" | "retrying" | "success" | "failed" | "cancelled";
                /** Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status */
                cancelled_reason: ("webhook_paused" | "webhook_disabled" | "webhook_deleted" | "backlog_full" | "replay_cancelled" | "event_pruned" | "event_erased") | null;
                /** HTTP status of the newest answer; null where none came */
                response_code: number | null;
                delivered_at: string | null;
                /** Duration of the newest attempt, milliseconds */
                duration_ms: number | null;
                /** Attempts made, of at most seven */
                attempts: number;
                /** The first delivery of the same event, which this one repeats; null for that one itself */
                resend_of: string | null;
                /** The replay that made it, if one did */
                replay_id: string | null;
                /** The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again */
                pruned: boolean;
                /** ISO 8601 UTC */
                created_at: string;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/deliveries${QS.query(QS.explode({
        cursor,
        limit,
        status,
        event_type,
        from,
        to
    }))}`, {
        ...opts
    }));
}
/**
 * Get a delivery: what was sent, and each attempt with its answer
 */
export function getDelivery({ webhook_id, delivery_id }: {
    webhook_id: string;
    delivery_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the delivery */
            id: string;
            /** Identifier of the event */
            event_id: string;
            /** Type of the event */
            event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
            /** Where the delivery stands */
            status: "pending" | "retrying" | "success" | "failed" | "cancelled";
            /** Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status */
            cancelled_reason: ("webhook_paused" | "webhook_disabled" | "webhook_deleted" | "backlog_full" | "replay_cancelled" | "event_pruned" | "event_erased") | null;
            /** HTTP status of the newest answer; null where none came */
            response_code: number | null;
            delivered_at: string | null;
            /** Duration of the newest attempt, milliseconds */
            duration_ms: number | null;
            /** Attempts made, of at most seven */
            attempts: number;
            /** The first delivery of the same event, which this one repeats; null for that one itself */
            resend_of: string | null;
            /** The replay that made it, if one did */
            replay_id: string | null;
            /** The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again */
            pruned: boolean;
            /** ISO 8601 UTC */
            created_at: string;
            /** As sent by the newest attempt; url and headers are null before the first */
            request: {
                method: "POST";
                url: string | null;
                headers: {
                    [key: string]: string;
                } | null;
                /** The signed bytes, the same on every attempt; null once pruned */
                body: string | null;
            };
            /** Every attempt, the oldest first; none once pruned */
            attempt_log: {
                "number": number;
                /** ISO 8601 UTC */
                started_at: string;
                /** Where it was sent: the URL of the webhook at that time */
                url: string | null;
                /** Names in lower case; null while it is under way */
                request_headers: {
                    [key: string]: string;
                } | null;
                /** Null where no status line came */
                response_code: number | null;
                response_headers: {
                    [key: string]: string;
                } | null;
                /** The first 2 KiB */
                response_body: string | null;
                /** Why it failed; null after a success, and while it is under way */
                error_kind: ("dns" | "refused" | "tls" | "timeout" | "policy" | "status" | "interrupted" | "network") | null;
                /** Milliseconds; null while it is under way or interrupted */
                duration_ms: number | null;
                /** What the receiver asked for; it does not change the schedule */
                retry_after: string | null;
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/deliveries/${encodeURIComponent(delivery_id)}`, {
        ...opts
    }));
}
/**
 * Resend the event of an ended delivery as a new delivery with the same bytes
 */
export function resendDelivery({ webhook_id, delivery_id, idempotencyKey }: {
    webhook_id: string;
    delivery_id: string;
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 202;
        data: {
            /** Identifier of the delivery */
            id: string;
            /** Identifier of the event */
            event_id: string;
            /** Type of the event */
            event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
            /** Where the delivery stands */
            status: "pending" | "retrying" | "success" | "failed" | "cancelled";
            /** Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status */
            cancelled_reason: ("webhook_paused" | "webhook_disabled" | "webhook_deleted" | "backlog_full" | "replay_cancelled" | "event_pruned" | "event_erased") | null;
            /** HTTP status of the newest answer; null where none came */
            response_code: number | null;
            delivered_at: string | null;
            /** Duration of the newest attempt, milliseconds */
            duration_ms: number | null;
            /** Attempts made, of at most seven */
            attempts: number;
            /** The first delivery of the same event, which this one repeats; null for that one itself */
            resend_of: string | null;
            /** The replay that made it, if one did */
            replay_id: string | null;
            /** The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again */
            pruned: boolean;
            /** ISO 8601 UTC */
            created_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 410;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/deliveries/${encodeURIComponent(delivery_id)}/resend`, {
        ...keyed(opts, idempotencyKey)
    }));
}
/**
 * List the replays of a webhook, newest first
 */
export function listReplays({ webhook_id, cursor, limit }: {
    webhook_id: string;
    cursor?: string;
    limit?: number;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            replays: {
                /** Identifier of the replay */
                id: string;
                /** Identifier of the webhook */
                webhook_id: string;
                /** ISO 8601 UTC */
                "from": string;
                /** ISO 8601 UTC */
                to: string;
                /** failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it */
                selection: "failed" | "all";
                /** Null: every type that the webhook subscribes to */
                event_types: string[] | null;
                /** finished: every delivery is created; attempts continue */
                status: "running" | "finished" | "cancelled";
                /** Deliveries to create, counted at the start */
                total: number;
                /** Of them, made so far */
                written: number;
                /** Of those written, ended with success */
                delivered: number;
                /** Of those written, ended without */
                failed: number;
                /** Of those written, cancelled */
                cancelled: number;
                /** ISO 8601 UTC */
                created_at: string;
                ended_at: string | null;
            }[];
            /** Cursor of the next page; null at the end */
            next_cursor: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/replays${QS.query(QS.explode({
        cursor,
        limit
    }))}`, {
        ...opts
    }));
}
/**
 * Replay the events of a time range, at a low rate beside live events. Count them first with `dry_run`.
 */
export function startReplay({ webhook_id, idempotencyKey, body }: {
    webhook_id: string;
    idempotencyKey?: string;
    body: {
        /** Events of this time or later */
        "from": string;
        /** Events before this time; now when left out or later */
        to?: string;
        /** failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it */
        selection?: "failed" | "all";
        /** Only these types of event */
        event_types?: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
        /** Only count */
        dry_run?: boolean;
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            dry_run: true;
            /** Deliveries that the replay would make; counting ends at 100001, one more than a replay takes on */
            total: number;
            /** Of them, for events that were never sent to this webhook */
            missed: number;
            /** Events that cannot be sent again: their payload was removed, not in `total`; counted alike */
            pruned: number;
        };
    } | {
        status: 202;
        data: {
            /** Identifier of the replay */
            id: string;
            /** Identifier of the webhook */
            webhook_id: string;
            /** ISO 8601 UTC */
            "from": string;
            /** ISO 8601 UTC */
            to: string;
            /** failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it */
            selection: "failed" | "all";
            /** Null: every type that the webhook subscribes to */
            event_types: string[] | null;
            /** finished: every delivery is created; attempts continue */
            status: "running" | "finished" | "cancelled";
            /** Deliveries to create, counted at the start */
            total: number;
            /** Of them, made so far */
            written: number;
            /** Of those written, ended with success */
            delivered: number;
            /** Of those written, ended without */
            failed: number;
            /** Of those written, cancelled */
            cancelled: number;
            /** ISO 8601 UTC */
            created_at: string;
            ended_at: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/replays`, oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/**
 * Get the progress of a replay
 */
export function getReplay({ webhook_id, replay_id }: {
    webhook_id: string;
    replay_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the replay */
            id: string;
            /** Identifier of the webhook */
            webhook_id: string;
            /** ISO 8601 UTC */
            "from": string;
            /** ISO 8601 UTC */
            to: string;
            /** failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it */
            selection: "failed" | "all";
            /** Null: every type that the webhook subscribes to */
            event_types: string[] | null;
            /** finished: every delivery is created; attempts continue */
            status: "running" | "finished" | "cancelled";
            /** Deliveries to create, counted at the start */
            total: number;
            /** Of them, made so far */
            written: number;
            /** Of those written, ended with success */
            delivered: number;
            /** Of those written, ended without */
            failed: number;
            /** Of those written, cancelled */
            cancelled: number;
            /** ISO 8601 UTC */
            created_at: string;
            ended_at: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/replays/${encodeURIComponent(replay_id)}`, {
        ...opts
    }));
}
/**
 * Cancel a replay: no more deliveries are created, and its unfinished ones are cancelled
 */
export function cancelReplay({ webhook_id, replay_id, idempotencyKey }: {
    webhook_id: string;
    replay_id: string;
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the replay */
            id: string;
            /** Identifier of the webhook */
            webhook_id: string;
            /** ISO 8601 UTC */
            "from": string;
            /** ISO 8601 UTC */
            to: string;
            /** failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it */
            selection: "failed" | "all";
            /** Null: every type that the webhook subscribes to */
            event_types: string[] | null;
            /** finished: every delivery is created; attempts continue */
            status: "running" | "finished" | "cancelled";
            /** Deliveries to create, counted at the start */
            total: number;
            /** Of them, made so far */
            written: number;
            /** Of those written, ended with success */
            delivered: number;
            /** Of those written, ended without */
            failed: number;
            /** Of those written, cancelled */
            cancelled: number;
            /** ISO 8601 UTC */
            created_at: string;
            ended_at: string | null;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/replays/${encodeURIComponent(replay_id)}/cancel`, {
        ...keyed(opts, idempotencyKey)
    }));
}
/**
 * Cancel the rotation: the old secret stays
 */
export function cancelWebhookSecretRotation({ webhook_id }: {
    webhook_id: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/rotate-secret`, {
        ...opts,
        method: "DELETE"
    }));
}
/**
 * Start a rotation of the signing secret. The new secret is shown once, in this answer.
 */
export function rotateWebhookSecret({ webhook_id, idempotencyKey }: {
    webhook_id: string;
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
            /** Signing secret (whsec_…); store it now, it is never shown again */
            secret: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/rotate-secret`, {
        ...keyed(opts, idempotencyKey)
    }));
}
/**
 * Commit the rotation: only the new secret remains
 */
export function commitWebhookSecretRotation({ webhook_id, idempotencyKey }: {
    webhook_id: string;
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the webhook */
            id: string;
            /** HTTPS address of the receiver, port 443 or 8443, a public host */
            url: string;
            /** Event types it receives */
            events: ("investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert")[];
            /** Events of this project only, and those of no project (`system.…`); null: of every project */
            project_id: string | null;
            /** Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount */
            min_amount_xrp: string | null;
            /** Only events whose `status` is one of these, and those without a status; null: of any status */
            statuses: ("pending_confirmation" | "confirmed" | "failed" | "operational" | "degraded" | "down")[] | null;
            /** Events are sent while true */
            active: boolean;
            /** Free text of your own */
            description: string;
            /** Names of the `headers` that are sent with every attempt */
            header_names: string[];
            /** Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have */
            rate_limit: number | null;
            /** When the platform deactivated it; null once it is active again */
            disabled_at: string | null;
            /** Why: a last attempt was answered 410, or every attempt failed for five days */
            disabled_reason: ("gone" | "failing") | null;
            /** Since when every attempt has failed; null after a success */
            failing_since: string | null;
            /** True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards */
            backlog_full: boolean;
            /** Version of its events, pinned at registration */
            api_version: string;
            /** While a rotation of the secret is under way: since when, and when it commits itself */
            secret_rotation: {
                /** ISO 8601 UTC */
                started_at: string;
                /** ISO 8601 UTC */
                ends_at: string;
            } | null;
            /** ISO 8601 UTC */
            created_at: string;
            /** ISO 8601 UTC */
            updated_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/rotate-secret/commit`, {
        ...keyed(opts, idempotencyKey)
    }));
}
/**
 * Get the deliveries of a webhook over time, by outcome, with their latency
 */
export function getDeliveryStatistics({ webhook_id, period }: {
    webhook_id: string;
    period?: "hour" | "day" | "week";
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            period: "hour" | "day" | "week";
            /** Start of the first span */
            "from": string;
            /** End of the last span; that one is not over */
            to: string;
            /** Deliveries made before are not counted: `from`, or later where the period has 50,000 deliveries or more */
            counted_from: string;
            totals: {
                /** Deliveries that arrived */
                success: number;
                /** Deliveries without an attempt left */
                failed: number;
                /** Deliveries that were not sent, or no more */
                cancelled: number;
                /** Deliveries that are pending or retrying */
                unfinished: number;
                /** Milliseconds from the making of a delivery to its success, retries included; null without one */
                latency_ms: {
                    p50: number | null;
                    p95: number | null;
                };
                /** `success` / (`success` + `failed`), rounded down to four digits; null without either */
                success_rate: number | null;
            };
            /** Equal spans of the period, the oldest first: 2 minutes, 30 minutes or 4 hours each */
            spans: {
                /** ISO 8601 UTC */
                "from": string;
                /** Deliveries that arrived */
                success: number;
                /** Deliveries without an attempt left */
                failed: number;
                /** Deliveries that were not sent, or no more */
                cancelled: number;
                /** Deliveries that are pending or retrying */
                unfinished: number;
                /** Milliseconds from the making of a delivery to its success, retries included; null without one */
                latency_ms: {
                    p50: number | null;
                    p95: number | null;
                };
            }[];
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>(`/webhooks/${encodeURIComponent(webhook_id)}/statistics${QS.query(QS.explode({
        period
    }))}`, {
        ...opts
    }));
}
/**
 * Send a test event once, now, and get the receiver’s answer
 */
export function sendTestEvent({ idempotencyKey, body }: {
    idempotencyKey?: string;
    body: {
        /** Identifier of the webhook */
        webhook_id: string;
        /** Type of the event */
        event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
        /** Values that override fields of the sample data. `amount_xrp` and `investor_account` go with `investment.*` events; any other field must be a field of that event’s data */
        test_data?: {
            /** XRP, a decimal string with up to six fractional digits */
            amount_xrp?: string;
            /** Ledger account address (r…), or its X-address without a tag; the checksum must fit */
            investor_account?: string;
            [key: string]: any;
        };
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.ok(oazapfts.fetchJson<{
        status: 200;
        data: {
            /** Identifier of the delivery */
            id: string;
            /** Identifier of the event */
            event_id: string;
            /** Type of the event */
            event_type: "investment.created" | "investment.confirmed" | "investment.failed" | "investment.tokens_distributed" | "investment.refunded" | "project.launched" | "project.tier_completed" | "project.milestone_reached" | "project.sale_ended" | "project.cancelled" | "system.maintenance_start" | "system.maintenance_end" | "system.network_status" | "system.webhook_disabled" | "system.delivery_failed" | "system.alert";
            /** Where the delivery stands */
            status: "pending" | "retrying" | "success" | "failed" | "cancelled";
            /** Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status */
            cancelled_reason: ("webhook_paused" | "webhook_disabled" | "webhook_deleted" | "backlog_full" | "replay_cancelled" | "event_pruned" | "event_erased") | null;
            /** HTTP status of the newest answer; null where none came */
            response_code: number | null;
            delivered_at: string | null;
            /** Duration of the newest attempt, milliseconds */
            duration_ms: number | null;
            /** Attempts made, of at most seven */
            attempts: number;
            /** The first delivery of the same event, which this one repeats; null for that one itself */
            resend_of: string | null;
            /** The replay that made it, if one did */
            replay_id: string | null;
            /** The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again */
            pruned: boolean;
            /** ISO 8601 UTC */
            created_at: string;
        };
    } | {
        status: 400;
        data: Problem;
    } | {
        status: 401;
        data: Problem;
    } | {
        status: 403;
        data: Problem;
    } | {
        status: 404;
        data: Problem;
    } | {
        status: 409;
        data: Problem;
    } | {
        status: 413;
        data: Problem;
    } | {
        status: 415;
        data: Problem;
    } | {
        status: 422;
        data: Problem;
    } | {
        status: 429;
        data: Problem;
    } | {
        status: 500;
        data: Problem;
    } | {
        status: 503;
        data: Problem;
    }>("/webhooks/test", oazapfts.json({
        ...keyed(opts, idempotencyKey),
        body
    })));
}
/** A POST that is done once under one Idempotency-Key. */
const keyed = (opts: Oazapfts.RequestOpts | undefined, key: string | undefined) => ({
    ...opts,
    idempotent: true,
    method: "POST",
    headers: oazapfts.mergeHeaders(opts?.headers, { "Idempotency-Key": key })
});
