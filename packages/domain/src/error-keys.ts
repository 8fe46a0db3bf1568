/**
 * Every error key of the API, with its HTTP status. The texts are in the language packs under `error.<key>`. Spelling
 * is part of the public interface and never corrected.
 */
export const errorStatus = {
  // routes, maps
  location_fetch_error: 404,
  location_refused: 403,
  'No Route Found': 422,
  google_places_error: 502,
  place_to_coords_error: 422,
  outside_region: 422,
  country_not_mapped: 422,
  // lists
  no_bookings: 404,
  no_cancel_reason: 404,
  no_cars: 404,
  settings_error: 500,
  no_tasks: 404,
  chat_not_found: 404,
  no_provider_found: 404,
  provider_fetch_error: 502,
  no_user_match: 404,
  wrong_code: 422,
  // sign-in, session
  login_error: 401,
  not_logged_in: 401,
  signed_out_elsewhere: 401,
  'Unable to get user token': 401,
  require_approval: 403,
  account_rejected: 403,
  rider_not_approved: 403,
  email_verify_message: 403,
  login_validate_error: 400,
  otp_validate_error: 400,
  wrong_login_code: 422,
  phone_not_proven: 403,
  proof_of_work_needed: 428,
  link_expired: 410,
  link_other_account: 403,
  user_does_not_exists: 404,
  not_valid_user_type: 403,
  user_issue_contact_admin: 403,
  // registration, profile
  proper_email: 400,
  proper_input_name: 400,
  password_alphaNumeric_check: 400,
  password_blank_messege: 400,
  password_complexity_check: 400,
  mobile_no_blank_error: 400,
  user_exists: 409,
  email_or_mobile_issue: 503,
  // Not 503, which clients retry.
  message_limit: 409,
  referer_not_found: 404,
  reg_error: 500,
  // booking
  must_login: 401,
  select_proper: 400,
  same_place: 400,
  stop_without_address: 422,
  stop_unreachable: 422,
  recipient_phone: 422,
  file_without_rows: 422,
  past_booking_error: 400,
  too_far_ahead: 400,
  too_many_bookings: 409,
  too_many_searches: 409,
  too_many_passengers: 400,
  return_before_trip: 400,
  no_driver_found_alert_messege: 409,
  deliveryDetailMissing: 400,
  proof_needed: 409,
  wrong_label: 422,
  stops_open: 409,
  wait_at_stop: 409,
  too_late: 409,
  cancelled_incomplete_booking: 409,
  already_taken: 409,
  trip_withdrawn: 409,
  already_busy: 409,
  wrong_status: 409,
  already_paid: 409,
  auto_dispatch_on: 409,
  driver_other_car_type: 409,
  too_early: 409,
  chat_closed: 409,
  chat_blocked: 409,
  chat_full: 409,
  too_many_photos: 409,
  not_at_pickup: 409,
  amount_changed: 409,
  cash_desk_short: 409,
  top_up_too_much: 400,
  not_requested: 409,
  wrong_otp: 422,
  otp_wait: 429,
  reason_needed: 400,
  unpaid_booking: 409,
  low_wallet: 409,
  refund_too_much: 409,
  refund_under_way: 409,
  withdraw_unavailable: 403,
  bank_details_needed: 400,
  payment_unavailable: 409,
  cash_unavailable: 409,
  promo_not_valid: 409,
  open_booking: 409,
  not_online: 409,
  fare_changed: 409,
  cancellation_fee_changed: 409,
  // admin
  demo_mode: 403,
  proper_bonus: 400,
  update_failed: 500,
  no_details_error: 400,
  conflict: 409,
  car_type_in_use: 409,
  'Base Settings Error 1': 403,
  'Base Settings Error 2': 502,
  'Cannot delete default language': 409,
  language_exists: 409,
  // people
  open_debt: 409,
  open_balance: 409,
  open_withdrawal: 409,
  open_payment: 409,
  last_admin: 409,
  too_many_addresses: 409,
  too_many_recipients: 409,
  too_many_changes: 409,
  too_many_rules: 409,
  too_many_views: 409,
  password_needed: 403,
  // everywhere
  idempotency_mismatch: 409,
  invalid_input: 400,
  not_found: 404,
  forbidden: 403,
  too_large: 413,
  unsupported_media: 415,
  method_not_allowed: 405,
  too_many_requests: 429,
  server_error: 500,
  unavailable: 503,
  demo_elsewhere: 403,
} as const satisfies Record<string, number>

export type ErrorKey = keyof typeof errorStatus

/** One refused field of an input and the reason. `field` is a dotted path. */
export interface FieldError {
  field: string
  error:
    | ErrorKey
    | 'required'
    | 'too_short'
    | 'too_long'
    | 'out_of_range'
    | 'wrong_type'
    | 'unknown_field'
    | 'not_in_list'
    | 'below_zero'
    | 'not_above_zero'
    | 'not_a_percentage'
    | 'not_ascending'
    | 'reversed_range'
    | 'same_hour'
    | 'taken'
    | 'in_the_past'
    | 'above_cap'
    | 'below_uses'
    | 'not_a_link'
    | 'not_a_currency'
    | 'not_a_locale'
    | 'unknown_placeholder'
    | 'currency_in_use'
}

/**
 * A refusal: an error key with the data the screen needs to explain it. With a `cause` it is a failure with an error
 * key: the user sees the key, the log has the cause.
 */
export class Refusal extends Error {
  readonly key: ErrorKey
  readonly fields: readonly FieldError[]
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(
    key: ErrorKey,
    details: { fields?: readonly FieldError[]; data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(key, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Refusal'
    this.key = key
    this.fields = details.fields ?? []
    this.data = details.data
  }
}
