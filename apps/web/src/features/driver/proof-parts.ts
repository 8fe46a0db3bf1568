import { useEffect } from 'react'
import { useSettings } from '../../lib/settings.ts'
import { whenInteracted } from '../../lib/use-idle.ts'

/** Loads the parts of the proof sheet that the settings use before they are needed: the courier may then have no connection. */
export function useProofParts(): void {
  const { category, deliverySignature, deliveryScan } = useSettings()
  useEffect(() => {
    if (category !== 'delivery') return
    return whenInteracted(() => void loadParts(deliverySignature, deliveryScan).catch(() => {}))
  }, [category, deliverySignature, deliveryScan])
}

function loadParts(signature: boolean, scan: boolean): Promise<unknown> {
  return Promise.all([
    import('./proof-sheet.tsx'),
    ...(signature ? [import('./signature-field.tsx')] : []),
    // The service worker keeps what it passes on, such as the decoder.
    ...(scan ? [import('./scan-camera.tsx').then(({ wasm }) => fetch(wasm))] : []),
  ])
}
