/**
 * The Culqi double's content for browsers: `checkout-js` and the 3-D Secure library as documented, each of which opens
 * a page of the double in an overlay iframe, and the two pages.
 */

const overlay = `
  function overlay(url, onMessage) {
    var origin = new URL(url).origin
    var frame = document.createElement('iframe')
    frame.src = url
    frame.title = 'Culqi'
    frame.allow = 'payment'
    Object.assign(frame.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', zIndex: '2147483000', colorScheme: 'light' })
    var listen = function (event) {
      if (event.origin === origin && event.source === frame.contentWindow) onMessage(event.data)
    }
    window.addEventListener('message', listen)
    document.body.append(frame)
    return function () {
      window.removeEventListener('message', listen)
      frame.remove()
    }
  }`

/**
 * `new CulqiCheckout(publicKey, {settings, client, options, appearance})`, `culqi`, `open()`, `close()`, `token`,
 * `error`.
 */
export const checkoutScript = (origin: string) => `(function () {${overlay}
  window.CulqiCheckout = function (publicKey, configuration) {
    var self = this, remove = null
    var settings = configuration.settings
    if (!Number.isInteger(settings.amount)) throw new Error('amount')
    var query = new URLSearchParams({
      publicKey: publicKey,
      amount: settings.amount,
      currency: settings.currency,
      title: settings.title,
      email: configuration.client.email,
      pay: (configuration.appearance || {}).buttonCardPayText || 'Pagar',
      surface: configuration.appearance.variables.colorBackground,
      text: configuration.appearance.variables.colorText,
    })
    this.token = null
    this.error = null
    this.close = function () {
      if (remove) remove()
      remove = null
    }
    this.open = function () {
      if (remove) return
      remove = overlay(${JSON.stringify(origin)} + '/checkout?' + query, function (result) {
        if (result.closed) return self.close()
        self.token = result.token || null
        self.error = result.error || null
        self.culqi()
      })
    }
  }
})()`

/** `Culqi3DS`: publicKey, settings, options, generateDevice(), initAuthentication(token), reset(). */
export const proofScript = (origin: string) => `(function () {${overlay}
  var remove = null
  window.Culqi3DS = {
    publicKey: '',
    settings: null,
    options: {},
    generateDevice: function () { return Promise.resolve('8019959c-fab1-49eb-bbbe-b846d308d8df') },
    initAuthentication: function (token) {
      if (!this.settings || !Number.isInteger(this.settings.charge.totalAmount)) throw new Error('settings')
      remove = overlay(${JSON.stringify(origin)} + '/proof?' + new URLSearchParams({ token: token }), function (result) {
        remove()
        remove = null
        window.postMessage(result, window.location.origin)
      })
    },
    reset: function () {
      if (remove) remove()
      remove = null
    },
  }
})()`

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title: string, colours: { surface: string; text: string }, content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>
  html { background: rgb(8 9 11 / 0.6); }
  main { box-sizing: border-box; inline-size: min(24rem, 92vw); margin: 10vh auto; padding: 24px; border-radius: 16px;
    background: ${escaped(colours.surface)}; color: ${escaped(colours.text)}; font: 17px system-ui; }
  label { display: grid; gap: 4px; margin-block: 12px; }
  input { padding: 10px; font: inherit; }
  button { padding: 12px 18px; font: inherit; }
</style><body><main>${content}</main></body></html>`

const cardFields = [
  ['card_number', 'Card number', '4111111111111111'],
  ['expiration', 'Expires (MM/YY)', '09/35'],
  ['cvv', 'Security code', '123'],
] as const

/** The card form in the iframe; cards ending in 0008 are declined, for 1005 the bank requires 3-D Secure. */
export function formPage(query: URLSearchParams): string {
  const text = (name: string) => escaped(query.get(name) ?? '')
  const fields = cardFields
    .map(([name, label, value]) => `<label>${label}<input name="${name}" value="${value}"></label>`)
    .join('')
  return page(
    'Culqi',
    { surface: query.get('surface') || '#fff', text: query.get('text') || '#111' },
    `<h1>${text('title')}</h1><p>${text('currency')} ${(Number(query.get('amount')) / 100).toFixed(2)}</p>
<form><input type="hidden" name="publicKey" value="${text('publicKey')}"><input type="hidden" name="email" value="${text('email')}">
${fields}<button>${text('pay')}</button> <button type="button" id="close">Close</button></form>
<script>
  document.forms[0].addEventListener('submit', function (event) {
    event.preventDefault()
    fetch('/tokens', { method: 'POST', body: new URLSearchParams(new FormData(event.target)) })
      .then(function (answer) { return answer.json() })
      .then(function (answer) { parent.postMessage(answer.object === 'token' ? { token: answer } : { error: answer }, '*') })
  })
  document.getElementById('close').onclick = function () { parent.postMessage({ closed: true }, '*') }
</script>`,
  )
}

/** The bank's page in the iframe. */
export function proofPage(proof: Record<string, string>): string {
  return page(
    'Bank',
    { surface: '#fff', text: '#111' },
    `<h1>Your bank</h1><p>Did you make this payment?</p><button id="yes">It is me</button> <button id="no">It is not me</button>
<script>
  document.getElementById('yes').onclick = function () { parent.postMessage({ parameters3DS: ${JSON.stringify(proof)} }, '*') }
  document.getElementById('no').onclick = function () { parent.postMessage({ error: { message: 'not authenticated' } }, '*') }
</script>`,
  )
}
