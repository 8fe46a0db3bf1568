import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { loading } from '../../lib/load-error.ts'
import { announce } from '../../ui/announcer.tsx'
import { errorText } from '../../ui/error-message.tsx'

/** Signs out and goes to the front page; announces errors. */
export function useSignOut(): { leave: () => Promise<void>; leaving: boolean } {
  const { t } = useText()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      // On demand, because few people sign out; kept for the time without a connection.
      const { leaveSafely } = await loading(import('../../entities/users/leave.ts'))
      if (await leaveSafely()) await navigate({ to: '/' })
    } catch (error) {
      announce(errorText(error, t))
    } finally {
      setLeaving(false)
    }
  }
  return { leave, leaving }
}
