-- Writes ledger entries and updates wallet balances and dues with them. An entry is that of the domain with its origin:
-- {kind, key, booking, legs [{account, amount}], id, at, currency, by, note, origin}. `floored` lists the users whose wallet must
-- not end below zero; `freed` is a driver whose claim ends (see free_driver). Locks users in the order of their ids; other
-- accounts than `user:` have no running balance.
create or replace function append_ledger(entries jsonb, floored uuid[], freed uuid default null)
returns void language plpgsql as $$
declare
  person uuid;
  moved bigint;
  after bigint;
  before jsonb := '{}';
  entry jsonb;
  leg jsonb;
begin
  for person, moved in
    select id, sum(amount) from (
      select substr(l->>'account', 6)::uuid as id, (l->>'amount')::bigint as amount
        from jsonb_array_elements(entries) e, jsonb_array_elements(e->'legs') l where starts_with(l->>'account', 'user:')
      union all select freed, null where freed is not null) moves
    group by id order by id
  loop
    if moved is null then
      perform free_driver(freed);
      continue;
    end if;
    update users u set wallet_balance = wallet_balance + moved, version = version + 1,
        queue = queue and person is distinct from freed
      where id = person returning wallet_balance into after;
    if after < 0 and person = any(floored) then
      raise exception 'a wallet would fall below zero' using errcode = 'HN004';
    end if;
    before := before || jsonb_build_object('user:' || person, after - moved);
  end loop;

  insert into ledger_entries (id, at, kind, key, booking_id, currency, by_user, note)
    select id, at, kind, key, booking, currency, by, note from jsonb_to_recordset(entries)
      as e(id uuid, at bigint, kind text, key text, booking uuid, currency text, by uuid, note text);
  insert into ledger_legs (entry_id, position, account, user_id, amount, balance)
    select (e->>'id')::uuid, position, account, case when before ? account then substr(account, 6)::uuid end, amount,
        (before->>account)::bigint + sum(amount) over (partition by account order by nth, position)
      from jsonb_array_elements(entries) with ordinality as given(e, nth),
        rows from (jsonb_to_recordset(e->'legs') as (account text, amount bigint)) with ordinality
          as l(account, amount, position);

  for entry, leg in
    select e, l from jsonb_array_elements(entries) e, jsonb_array_elements(e->'legs') l where starts_with(l->>'account', 'due:')
  loop
    perform move_due(entry, leg);
  end loop;

  -- Riders whose balance exceeds what their drivers are still owed.
  insert into outbox (at, stream, kind, payload)
    select (extract(epoch from clock_timestamp()) * 1000)::bigint, 'wallet:' || u.id, 'wallet.rose',
        jsonb_build_object('user', u.id) || jsonb_strip_nulls(jsonb_build_object('origin', entries->0->'origin'))
      from users u where u.id = any(array(select substr(account, 6)::uuid from jsonb_object_keys(before) account))
        and (select sum(open) from dues where rider = u.id and open > 0) > greatest(0, -u.wallet_balance);
end $$;
