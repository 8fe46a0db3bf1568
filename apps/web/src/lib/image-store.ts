/** Images on this device that are not uploaded yet. */
export interface ImageStore {
  /** Stores an image for one user; returns its name. */
  put(uid: string, image: Blob): Promise<string>
  /** Null if the device does not have it. */
  get(name: string): Promise<Blob | null>
  remove(name: string): Promise<void>
  /** Removes the images of all other users; null: of everyone. */
  forgetOthers(uid: string | null): Promise<void>
}

interface StoredImage {
  uid: string
  /** A buffer: some versions of Safari lose a stored Blob. */
  bytes: ArrayBuffer
  type: string
}

const storeName = 'images'

/** Images in IndexedDB, and in the page only where that is blocked. Names begin with the user's id. */
export function createImageStore(
  factory: () => IDBFactory | undefined = () => globalThis.indexedDB,
): ImageStore {
  const inPage = new Map<string, Blob>()
  let opening: Promise<IDBDatabase | null> | undefined
  const database = () => {
    opening ??= openDatabase(factory).catch(() => null)
    return opening
  }

  /** Runs one request; null where nothing can be stored. */
  const run = async <Result>(
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result | null> => {
    const opened = await database()
    if (opened === null) return null
    return new Promise<Result>((resolve, reject) => {
      const transaction = opened.transaction(storeName, mode)
      const request = ask(transaction.objectStore(storeName))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  }

  return {
    put: async (uid, image) => {
      const name = `${uid}/${crypto.randomUUID()}`
      const stored: StoredImage = { uid, bytes: await image.arrayBuffer(), type: image.type }
      const saved = await run('readwrite', (store) => store.put(stored, name)).catch(() => null)
      if (saved === null) inPage.set(name, image)
      return name
    },
    get: async (name) => {
      const stored = await run<StoredImage | undefined>('readonly', (store) => store.get(name)).catch(
        () => null,
      )
      return stored ? new Blob([stored.bytes], { type: stored.type }) : (inPage.get(name) ?? null)
    },
    remove: async (name) => {
      inPage.delete(name)
      await run('readwrite', (store) => store.delete(name)).catch(() => null)
    },
    forgetOthers: async (uid) => {
      const isOther = (name: string) => uid === null || !name.startsWith(`${uid}/`)
      for (const name of inPage.keys()) if (isOther(name)) inPage.delete(name)
      const names = await run('readonly', (store) => store.getAllKeys()).catch(() => null)
      for (const name of names ?? []) {
        if (isOther(String(name))) await run('readwrite', (store) => store.delete(name)).catch(() => null)
      }
    },
  }
}

function openDatabase(factory: () => IDBFactory | undefined): Promise<IDBDatabase | null> {
  const storage = factory()
  if (!storage) return Promise.resolve(null)
  return new Promise((resolve, reject) => {
    const request = storage.open('hansom-driver', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('the image store is blocked'))
  })
}

export const imageStore = createImageStore()
