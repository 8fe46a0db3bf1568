-- Owner: cancel-reasons; read by: bookings
create view cancel_reason_labels as select label from cancel_reasons;
