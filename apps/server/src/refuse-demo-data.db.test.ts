import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseDemoData } from './refuse-demo-data.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('refuseDemoLeft: demo users present -> error with the fix; none -> passes', async () => {
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  await expect(refuseDemoData(app.database)).resolves.toBeUndefined()
  await app.addUser({ email: 'rider@demo.test', usertype: 'rider', demo: true })
  await expect(refuseDemoData(app.database)).rejects.toThrow('npm run demo:remove')
})
