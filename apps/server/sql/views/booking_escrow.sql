-- Owner: bookings; read by: ledger-check
-- What a trip holds in escrow: nothing once it is paid or cancelled, before that the amount paid in and a promo's part.
create view booking_escrow as
  select id, case when status in ('PAID', 'COMPLETE', 'CANCELLED') then 0
      else used_wallet_money + card_payment_amount + cash_payment_amount
        + case when prepaid then discount_amount else 0 end end as held
    from bookings;
