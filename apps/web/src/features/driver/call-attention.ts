/** Sounds two short tones and vibrates, where the device can and the person has touched the page before. */
export function callAttention(): void {
  navigator.vibrate?.([200, 100, 200])
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
  tone(660, 0)
  tone(880, 0.28)
  setTimeout(() => void audio.close(), 900)
}
