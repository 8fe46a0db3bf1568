import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseDemoLeft } from './demo-left.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('refuseDemoLeft: demo users present -> error with the fix; none -> passes', async () => {
  await app.addPerson({ email: 'admin@x.test', usertype: 'admin' })
  await expect(refuseDemoLeft(app.database)).resolves.toBeUndefined()
  await app.addPerson({ email: 'rider@demo.test', usertype: 'rider', demo: true })
  await expect(refuseDemoLeft(app.database)).rejects.toThrow('npm run demo:remove')
})
