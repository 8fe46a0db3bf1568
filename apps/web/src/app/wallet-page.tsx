import { lazy, Suspense } from 'react'
import { WalletScreen } from '../features/wallet/wallet-screen.tsx'

const TopUpDialog = lazy(() => import('../features/payments/top-up-dialog.tsx'))

/** The user's wallet, with the top-up dialog. */
export function WalletPage() {
  return (
    <WalletScreen
      topUp={(onClose) => (
        <Suspense fallback={null}>
          <TopUpDialog onClose={onClose} />
        </Suspense>
      )}
    />
  )
}
