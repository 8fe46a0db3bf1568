import type { AlertKind } from '@hansom/domain/alerts/alerts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mail, MailError } from '../../adapters/mail/port.ts'
import { type AlertScene, createAlertScene } from './alerts.fixture.ts'
import { createAlertMails } from './mail.ts'

let scene: AlertScene
/** Emails in the order they were sent, and how many more attempts fail. */
const sent: { to: string; subject: string; text: string; html: string }[] = []
let failures = 0

const mail: Mail = {
  send: async ({ to, subject, text, html }) => {
    if (failures > 0) {
      failures -= 1
      throw new MailError('the mail server does not respond', false)
    }
    sent.push({ to, subject, text, html })
  },
  close: () => {},
}

beforeAll(async () => {
  scene = await createAlertScene({ mail })
  await scene.add('ada', 'admin', { locale: 'en' })
  await scene.add('abe', 'admin', { locale: 'ar' })
  await scene.add('finn', 'fleetadmin')
  await scene.add('dina', 'driver', { fleetadmin: scene.ids.finn })
  await scene.add('rita', 'rider')
  await scene.app.start()
})
afterAll(() => scene.app.close())
beforeEach(async () => {
  await scene.clear()
  sent.length = 0
  failures = 0
})

const mailed = (name: string) => sent.filter(({ to }) => to === `${name}@x.test`)
const onlyMail = () => {
  const [mail, ...others] = sent
  if (mail === undefined || others.length > 0) throw new Error(`${sent.length} emails were sent`)
  return mail
}
const wants = (name: string, ...kinds: AlertKind[]) => scene.call(name, 'PUT', '/mail', { kinds })
/** Runs the job that mails, and waits until all emails are sent. */
async function mailUnread() {
  await scene.app.services.alerts.mailUnread()
  await expect.poll(openJobs, { timeout: 20_000 }).toBe(0)
}
const openJobs = async () => {
  const open = `select count(*)::int as n from pgboss.job where name = 'alerts.send-mail' and state < 'completed'`
  return (await scene.pool.query<{ n: number }>(open)).rows[0]?.n
}
const readAll = (name: string) =>
  scene.pool.query('update user_notifications set read_at = 1 where user_id = $1', [scene.ids[name]])

test('unread alerts of the wanted kinds -> one email with links, once', async () => {
  await wants('ada', 'withdrawal', 'no_driver')
  await scene.withdrawal(scene.ids.dina ?? '')
  const booking = await scene.noDriver()
  await scene.waitingDriver()
  await scene.scan()
  await mailUnread()
  await mailUnread()
  const { to, subject, text, html } = onlyMail()
  expect(to).toBe('ada@x.test')
  expect(subject).toMatch(/: new alerts$/)
  expect(text).toMatch(/^Hi ada,/)
  expect(text).toContain('Dina Driver wants to withdraw $100.')
  expect(text).toMatch(new RegExp(`https?://\\S+/withdraws\\?state=open&uid=${scene.ids.dina}$`, 'm'))
  expect(text).toMatch(new RegExp(`https?://\\S+/trip/${booking}$`, 'm'))
  expect(text).toMatch(/https?:\/\/\S+\/profile$/m)
  expect(text).not.toContain('approval')
  expect(html).toContain(`/trip/${booking}"`)
  expect(html).toContain('<html lang="en" dir="ltr">')
})

test('alert read in the bell -> not mailed', async () => {
  await wants('ada', 'withdrawal')
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  await readAll('ada')
  await mailUnread()
  expect(sent).toEqual([])
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  await mailUnread()
  expect(mailed('ada')).toHaveLength(1)
})

test('several readers -> each their own kinds, in their language', async () => {
  await wants('ada', 'driver_waiting')
  await wants('abe', 'driver_waiting')
  await wants('finn', 'driver_waiting')
  await scene.waitingDriver()
  await scene.scan()
  await mailUnread()
  expect(sent.map(({ to }) => to).sort()).toEqual(['abe@x.test', 'ada@x.test'])
  expect(mailed('abe')[0]).toMatchObject({
    subject: expect.stringContaining('تنبيهات جديدة'),
    html: expect.stringContaining('<html lang="ar" dir="rtl">'),
  })
})

test('announced before the kind was wanted -> not mailed', async () => {
  await wants('ada', 'refund')
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  await mailUnread()
  await wants('ada', 'refund', 'withdrawal')
  await mailUnread()
  expect(sent).toEqual([])
  await wants('abe', 'withdrawal')
  await mailUnread()
  expect(sent).toEqual([])
})

test('approval withdrawn or another role -> not mailed', async () => {
  await wants('ada', 'withdrawal')
  await wants('abe', 'withdrawal')
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  await scene.pool.query('update users set approved = false where id = $1', [scene.ids.ada])
  await scene.pool.query(`update users set usertype = 'fleetadmin' where id = $1`, [scene.ids.abe])
  await mailUnread()
  await scene.pool.query('update users set approved = true where id = $1', [scene.ids.ada])
  await scene.pool.query(`update users set usertype = 'admin' where id = $1`, [scene.ids.abe])
  await mailUnread()
  expect(sent).toEqual([])
})

test('mail server down -> sent once it responds', { timeout: 30_000 }, async () => {
  await wants('ada', 'withdrawal')
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  failures = 2
  await mailUnread()
  await mailUnread()
  expect(mailed('ada')).toHaveLength(1)
})

test('crash before the job is stored -> mailed by the next run', async () => {
  await wants('ada', 'withdrawal')
  await scene.withdrawal(scene.ids.dina ?? '')
  await scene.scan()
  const { services, database } = scene.app
  const crashing = createAlertMails({
    ...services,
    database,
    mail,
    log: { warn: () => {} } as never,
    siteUrl: () => 'https://x.test',
    jobs: { define: () => {}, send: () => Promise.reject(new Error('killed')) } as never,
  })
  await expect(crashing()).rejects.toThrow('killed')
  await mailUnread()
  expect(mailed('ada')).toHaveLength(1)
})

test('more alerts than fit -> the newest 50', async () => {
  await wants('ada', 'withdrawal')
  await scene.pool.query(
    `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
      select gen_random_uuid(), $1, 'W' || lpad(n::text, 2, '0') || '.', 10000, $2::int8 + n, 'A bank', '1', '2', 'UYU'
        from generate_series(1, 60) n`,
    [scene.ids.dina, scene.clock.now()],
  )
  await scene.scan()
  await mailUnread()
  expect(onlyMail().text.match(/W\d\d\./g)).toEqual(Array.from({ length: 50 }, (_, n) => `W${60 - n}.`))
  await mailUnread()
  expect(sent).toHaveLength(1)
})
