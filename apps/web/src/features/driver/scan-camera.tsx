import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill'
import { useEffect, useRef, useState } from 'react'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { useText } from '../../lib/i18n.ts'
import own from './stop-list.module.css'

/** Path of the decoder. */
export const wasm: string = wasmUrl

// From our own server; the library's default is a CDN.
prepareZXingModule({
  overrides: {
    locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path),
  },
})

/** Pause between two looks at the camera's picture, ms. */
const pauseMs = 150

/** The back camera, until it sees a barcode or QR code. */
export default function ScanCamera({ onText }: { onText: (text: string) => void }) {
  const { t } = useText()
  const video = useRef<HTMLVideoElement>(null)
  const [blocked, setBlocked] = useState(false)
  const notify = useRef(onText)
  notify.current = onText

  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const detector = new BarcodeDetector({ formats: ['qr_code', 'code_128', 'data_matrix', 'ean_13'] })
    const look = async () => {
      const found = video.current && video.current.readyState >= 2 ? await detector.detect(video.current) : []
      const text = found[0]?.rawValue
      if (isOver) return
      if (text) notify.current(text)
      else timer = setTimeout(() => void look().catch(() => setBlocked(true)), pauseMs)
    }
    const open = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isOver || !video.current) return close()
      video.current.srcObject = stream
      await video.current.play()
      await look()
    }
    const close = () => {
      isOver = true
      clearTimeout(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    void open().catch(() => {
      if (!isOver) setBlocked(true)
    })
    return close
  }, [])

  if (blocked) {
    return (
      <p className={own.problem} role="alert">
        {t('courier.camera_blocked')}
      </p>
    )
  }
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- the picture of the camera, without sound
  return <video ref={video} className={own.camera} muted playsInline aria-label={t('courier.camera')} />
}
