/** Tables of payments, and of the service's own work. */
export const paymentsTables = `
-- The ledger. The natural key is the authorization. No index on a column that changes: updates stay within the page.
create table payments (
  network text not null,
  asset bytea not null,
  payer bytea not null,
  nonce bytea not null,
  state text not null,
  operation_id text not null,
  binding bytea not null,
  amount numeric(78) not null,
  pay_to bytea not null,
  valid_after numeric(78) not null,
  valid_before numeric(78) not null,
  signature bytea not null,
  claimed_at timestamptz not null,
  lease_owner text not null,
  lease_until timestamptz not null,
  from_block bigint not null,
  settle_transaction bytea,
  settled_at timestamptz,
  delivery text not null default 'pending',
  release_reason text,
  reply_hash bytea not null,
  reply_headers text not null,
  payment_id bytea not null,
  client_id_hash bytea,
  chain_instance text not null default '',
  settle_block bigint,
  reorged_at timestamptz,
  reorged_transaction bytea,
  primary key (network, asset, payer, nonce),
  check ((state = 'settled') = (settle_transaction is not null)),
  check (delivery in ('pending', 'completed', 'incomplete', 'refunded')),
  check (state in ('claimed', 'settled', 'released'))
);
create index payments_claimed_at on payments (claimed_at);
create unique index payments_client_id on payments (payer, client_id_hash) where client_id_hash is not null;
create index payments_payment_id on payments (payment_id);

-- The replies that were paid for, once each.
create table payment_bodies (
  hash bytea not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (hash)
);

-- Refunds that were found on the chain.
create table refunds (
  payment_id bytea not null,
  network text not null,
  asset bytea not null,
  payer bytea not null,
  amount numeric(78) not null,
  transaction bytea not null,
  log_index integer not null,
  recorded_at timestamptz not null,
  primary key (payment_id),
  unique (network, transaction, log_index)
);

-- Transfers to the payee that no payment explains.
create table orphan_transfers (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  transaction bytea not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamptz not null,
  payer bytea not null,
  pay_to bytea not null,
  nonce bytea,
  amount numeric(78) not null,
  payment_id bytea not null,
  found_at timestamptz not null,
  primary key (network, asset, chain_instance, transaction, log_index)
);
create index orphan_transfers_payment_id on orphan_transfers (payment_id);

-- Comparisons of the ledger with the chain, by range of blocks.
create table ledger_audits (
  network text not null,
  asset bytea not null,
  chain_instance text not null,
  from_block bigint not null,
  to_block bigint not null,
  to_time timestamptz not null,
  transfers integer not null,
  chain_amount numeric(78) not null,
  payments integer not null,
  ledger_amount numeric(78) not null,
  missing integer not null,
  audited_at timestamptz not null,
  primary key (network, asset, chain_instance, from_block)
);

-- Every transaction that the relayer signed, until its nonce is used.
create table relayer_transactions (
  chain text not null,
  relayer bytea not null,
  nonce bigint not null,
  hash bytea not null,
  raw bytea not null,
  kept_at timestamptz not null,
  primary key (chain, relayer, nonce, hash),
  check (nonce >= 0)
);

-- Each slot of each job: one instance runs it.
create table job_runs (
  job text not null,
  slot timestamptz not null,
  lane text not null,
  state text not null,
  owner text not null,
  attempts integer not null,
  lease_until timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  error text,
  progress jsonb,
  summary jsonb,
  primary key (job, slot),
  check (attempts >= 0),
  check (state in ('running', 'succeeded', 'failed'))
);
create unique index job_runs_one_running on job_runs (lane) where state = 'running';

-- Keys of this database, encrypted under SERVER_SECRET.
create table server_keys (
  name text not null,
  wrapped bytea not null,
  primary key (name)
);
`;
