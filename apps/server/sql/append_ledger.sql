-- Writes ledger entries and updates wallet balances and dues with them. An entry is that of the domain with its origin:
-- {kind, key, booking, legs [{account, amount}], id, at, currency, by, note, origin}. `floored` lists the users whose wallet must
-- not end below zero. Locks users in the order of their ids; other accounts than `user:` have no running balance.
create or replace function append_ledger(entries jsonb, floored uuid[]) returns void language plpgsql as $$
declare
  moved uuid[];
  entry jsonb;
  leg jsonb;
  leg_no int;
  owner uuid;
  after bigint;
begin
  moved := array(
    select distinct substr(l->>'account', 6)::uuid
    from jsonb_array_elements(entries) e, jsonb_array_elements(e->'legs') l where starts_with(l->>'account', 'user:'));
  perform from users where id = any(moved) order by id for no key update;

  for entry in select jsonb_array_elements(entries) loop
    insert into ledger_entries (id, at, kind, key, booking_id, currency, by_user, note) values (
      (entry->>'id')::uuid, (entry->>'at')::bigint, entry->>'kind', entry->>'key', (entry->>'booking')::uuid,
      entry->>'currency', (entry->>'by')::uuid, entry->>'note');
    leg_no := 0;
    for leg in select jsonb_array_elements(entry->'legs') loop
      leg_no := leg_no + 1;
      owner := null;
      after := null;
      if starts_with(leg->>'account', 'user:') then
        owner := substr(leg->>'account', 6)::uuid;
        update users set wallet_balance = wallet_balance + (leg->>'amount')::bigint, version = version + 1
          where id = owner returning wallet_balance into after;
      end if;
      if leg->>'account' like 'due:%' then perform move_due(entry, leg); end if;
      insert into ledger_legs (entry_id, position, account, user_id, amount, balance) values (
        (entry->>'id')::uuid, leg_no, leg->>'account', owner, (leg->>'amount')::bigint, after);
    end loop;
  end loop;

  if exists (select from users where id = any(floored) and id = any(moved) and wallet_balance < 0) then
    raise exception 'a wallet would fall below zero' using errcode = 'HN004';
  end if;

  -- Riders whose balance exceeds what their drivers are still owed.
  insert into outbox (at, stream, kind, payload)
    select (extract(epoch from clock_timestamp()) * 1000)::bigint, 'wallet:' || u.id, 'wallet.rose',
        jsonb_build_object('user', u.id) || jsonb_strip_nulls(jsonb_build_object('origin', entries->0->'origin'))
      from users u where u.id = any(moved)
        and (select sum(open) from dues where rider = u.id and open > 0) > greatest(0, -u.wallet_balance);
end $$;
