/**
 * Shows that the app failed to start, in the embedded texts, and offers a reload. The prerendered links and form keep
 * working.
 */
export function showStartFailed(): void {
  const texts = readTexts()
  const note = document.createElement('p')
  note.setAttribute('role', 'alert')
  note.className = 'start-failed'
  const reload = document.createElement('a')
  reload.href = ''
  reload.textContent = texts['common.load_again'] ?? ''
  note.append(texts['common.start_failed'] ?? '', ' ', reload)
  if (reload.textContent !== '') document.body.append(note)
}

/** Empty if the page has no boot data or it cannot be parsed. */
function readTexts(): Record<string, string> {
  try {
    return JSON.parse(document.getElementById('boot')?.textContent ?? '').pack.keyValuePairs
  } catch {
    return {}
  }
}
