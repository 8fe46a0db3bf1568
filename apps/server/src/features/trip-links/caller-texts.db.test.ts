import type { Actor } from '@hansom/domain/access/relation'
import arabic from '@hansom/domain/languages/packs/ar/mail.json' with { type: 'json' }
import english from '@hansom/domain/languages/packs/en/mail.json' with { type: 'json' }
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SmsMessage } from '../../adapters/sms/port.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { textCallers } from './caller-texts.ts'
import { createTripLinksService, type TripLinksService } from './service.ts'
