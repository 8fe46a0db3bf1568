import { useEffect, useState } from 'react'

/** Two tones up for a request and, higher, for a message; two down for a cancelled trip, two equal ones for others; in Hz. */
const tones = {
  request: [660, 880],
  message: [990, 1320],
  changed: [520, 520],
  cancelled: [520, 390],
  alarm: [740, 740],
} as const

/** Plays two short tones and vibrates, if the device can and the user has interacted with the page. */
export function callAttention(reason: keyof typeof tones): void {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([200, 100, 200])
  const Context = globalThis.AudioContext
  if (!Context) return
  const audio = new Context()
  if (audio.state === 'suspended') {
    void audio.close()
    return
  }
  const tone = (frequency: number, from: number) => {
    const oscillator = audio.createOscillator()
    const volume = audio.createGain()
    oscillator.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, audio.currentTime + from)
    volume.gain.exponentialRampToValueAtTime(0.2, audio.currentTime + from + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + from + 0.22)
    oscillator.connect(volume).connect(audio.destination)
    oscillator.start(audio.currentTime + from)
    oscillator.stop(audio.currentTime + from + 0.25)
  }
  tone(tones[reason][0], 0)
  tone(tones[reason][1], 0.28)
  setTimeout(() => void audio.close(), 900)
}

/** Interval between alerts for an unanswered request or alarm, ms. */
const repeatMs = 3000

/** Repeats an alert while `active`. */
export function useRepeatedAttention(active: boolean, reason: keyof typeof tones = 'request'): void {
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => callAttention(reason), repeatMs)
    return () => clearInterval(timer)
  }, [active, reason])
}

const touches = ['click', 'keydown', 'touchend'] as const

/** False until the user has interacted with the page: browsers block sound before. */
export function useSoundAllowed(): boolean {
  const [allowed, setAllowed] = useState(wasTouched)
  useEffect(() => {
    if (allowed) return
    const look = () => setAllowed(wasTouched())
    for (const name of touches) addEventListener(name, look)
    return () => {
      for (const name of touches) removeEventListener(name, look)
    }
  }, [allowed])
  return allowed
}

/** Browsers that cannot report it count as touched. */
function wasTouched(): boolean {
  return navigator.userActivation?.hasBeenActive ?? true
}
