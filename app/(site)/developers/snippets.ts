/**
 * What the developers' page shows, in lines that fit its columns. All of it is run: the calls by
 * `tests/e2e/start-snippets.test.ts`, the checks by `tests/integration/webhooks/documented-verification.test.ts`.
 */

export interface Snippet {
  tab: string;
  /** The language, as highlighting knows it. */
  fence: string;
  text: string;
}

/** Makes a key and a webhook. `address` is of the receiver. */
export const startSnippets = (baseUrl: string, wallet: string, address: string): readonly Snippet[] => [
  {
    tab: 'curl',
    fence: 'sh',
    text: `BASE_URL=${baseUrl}

# A key, shown once
KEY=$(curl -s $BASE_URL/api/api-keys/create \\
  -H 'content-type: application/json' \\
  -d '{"wallet_address":"${wallet}"}' |
  jq -r .api_key)

# A webhook; its answer has the signing secret
curl -s $BASE_URL/webhooks \\
  -H "authorization: Bearer $KEY" \\
  -H 'content-type: application/json' \\
  -d '{
    "url": "${address}",
    "events": ["investment.confirmed"]
  }' | jq -r .secret`,
  },
  {
    tab: 'TypeScript',
    fence: 'ts',
    text: `const BASE_URL = '${baseUrl}';

async function post(
  path: string,
  body: object,
  key = '',
) {
  const answer = await fetch(BASE_URL + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: \`Bearer \${key}\` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// A key, shown once
const { api_key } = await post('/api/api-keys/create', {
  wallet_address: '${wallet}',
});

// A webhook; its answer has the signing secret
const webhook = {
  url: '${address}',
  events: ['investment.confirmed'],
};
const made = await post('/webhooks', webhook, api_key);
console.log(made.secret);`,
  },
  {
    tab: 'Python',
    fence: 'python',
    text: `import json
from urllib.request import Request, urlopen

BASE_URL = "${baseUrl}"


def post(path, body, key=None):
    headers = {"content-type": "application/json"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    data = json.dumps(body).encode()
    request = Request(BASE_URL + path, data, headers)
    with urlopen(request) as answer:
        return json.load(answer)


# A key, shown once
made = post("/api/api-keys/create", {
    "wallet_address": "${wallet}",
})

# A webhook; its answer has the signing secret
webhook = post("/webhooks", {
    "url": "${address}",
    "events": ["investment.confirmed"],
}, made["api_key"])
print(webhook["secret"])`,
  },
  {
    tab: 'Go',
    fence: 'go',
    text: `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

const baseURL = "${baseUrl}"

type object map[string]any

func post(path string, body object, key string) object {
	data, _ := json.Marshal(body)
	request, err := http.NewRequest(
		"POST", baseURL+path, bytes.NewReader(data))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	made := object{}
	err = json.NewDecoder(answer.Body).Decode(&made)
	if err != nil || answer.StatusCode >= 400 {
		log.Fatal(answer.Status, made["detail"])
	}
	return made
}

func main() {
	// A key, shown once
	made := post("/api/api-keys/create", object{
		"wallet_address": "${wallet}",
	}, "")

	// A webhook; its answer has the signing secret
	webhook := post("/webhooks", object{
		"url":    "${address}",
		"events": []string{"investment.confirmed"},
	}, made["api_key"].(string))
	fmt.Println(webhook["secret"])
}`,
  },
];

/** Checks the signature of Standard Webhooks. */
export const VERIFY_SNIPPETS: readonly Snippet[] = [
  {
    tab: 'TypeScript',
    fence: 'ts',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** \`body\`: the bytes as they came, not parsed. */
export function isGenuine(
  body: Buffer,
  headers: IncomingHttpHeaders,
  secrets: string[],
): boolean {
  const of = (name: string) =>
    String(headers[name] ?? '');
  const id = of('webhook-id');
  const time = of('webhook-timestamp');
  if (!/^\\d{1,12}$/.test(time)) return false;
  const age = Date.now() / 1000 - Number(time);
  if (Math.abs(age) > 300) return false;
  const given = of('webhook-signature')
    .split(' ')
    .map((one) => Buffer.from(one));
  return secrets.some((secret) => {
    const text = secret.replace(/^whsec_/, '');
    const key = Buffer.from(text, 'base64');
    const mac = createHmac('sha256', key)
      .update(\`\${id}.\${time}.\`)
      .update(body)
      .digest('base64');
    const made = Buffer.from(\`v1,\${mac}\`);
    return given.some(
      (one) =>
        one.length === made.length &&
        timingSafeEqual(one, made),
    );
  });
}`,
  },
  {
    tab: 'Python',
    fence: 'python',
    text: `import base64
import hmac
import time


def is_genuine(body: bytes, headers, secrets) -> bool:
    """body: the bytes as they came, not parsed."""
    id_ = headers.get("webhook-id", "")
    sent = headers.get("webhook-timestamp", "")
    given = headers.get("webhook-signature", "")
    if not (sent.isascii() and sent.isdigit()):
        return False
    if len(sent) > 12:
        return False
    if abs(time.time() - int(sent)) > 300:
        return False
    signed = f"{id_}.{sent}.".encode() + body
    for secret in secrets:
        text = secret.removeprefix("whsec_")
        key = base64.b64decode(text)
        mac = hmac.digest(key, signed, "sha256")
        made = b"v1," + base64.b64encode(mac)
        if any(
            hmac.compare_digest(one.encode(), made)
            for one in given.split(" ")
        ):
            return True
    return False`,
  },
  {
    tab: 'Go',
    fence: 'go',
    text: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the bytes as they came, not parsed.
func IsGenuine(
	body []byte, header http.Header, secrets []string,
) bool {
	id := header.Get("Webhook-Id")
	sent := header.Get("Webhook-Timestamp")
	given := header.Get("Webhook-Signature")
	seconds, err := strconv.ParseUint(sent, 10, 40)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(int64(seconds), 0))
	if age.Abs() > 5*time.Minute {
		return false
	}
	for _, secret := range secrets {
		text := strings.TrimPrefix(secret, "whsec_")
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + sent + "."))
		mac.Write(body)
		made := "v1," +
			base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, one := range strings.Split(given, " ") {
			if hmac.Equal([]byte(one), []byte(made)) {
				return true
			}
		}
	}
	return false
}`,
  },
];

/** As Markdown with tabs, which the guides have too. */
export const asTabs = (snippets: readonly Snippet[]): string =>
  snippets.map(({ tab, fence, text }) => `\`\`\`${fence} tab="${tab}"\n${text}\n\`\`\``).join('\n\n');
