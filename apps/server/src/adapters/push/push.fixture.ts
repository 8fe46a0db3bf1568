import type { ShowMessage } from '@hansom/domain/devices/web-message'

/** A message as the server writes it. */
export const showMessage = (title: string): ShowMessage => ({
  web_push: 8030,
  notification: {
    title,
    body: 'Take care',
    navigate: 'https://rides.test/bookings',
    tag: 't',
    lang: 'en',
    dir: 'ltr',
    silent: false,
    renotify: false,
    requireInteraction: false,
    data: { kind: 'news', id: null, screen: 'BookedCab', booking: null, at: 1, expiresAt: null },
  },
})
