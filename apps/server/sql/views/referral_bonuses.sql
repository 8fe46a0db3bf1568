-- Owner: wallet; read by: earnings
-- Referral bonuses, one row for each leg.
create view referral_bonuses as
  select e.id, e.at, l.user_id, l.amount
    from ledger_entries e join ledger_legs l on l.entry_id = e.id
    where e.kind = 'referral_bonus' and l.user_id is not null;
