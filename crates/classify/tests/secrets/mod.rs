//! Made-up credentials and the places they are found in; a seed repeats them exactly.

/// Splitmix64: one word of state, the same sequence on every machine.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.roll() >> 33).unwrap_or_default() % bound
    }

    fn of(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..length).filter_map(|_| alphabet.get(self.below(alphabet.len()))).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const HEX: &str = "0123456789abcdef";

fn alnum() -> String {
    format!("{LOWER}{UPPER}0123456789")
}

/// Tokens that stand for themselves wherever they are: beginning, alphabet, length.
pub(crate) fn tokens(dice: &mut Dice) -> Vec<String> {
    let (alnum, capitals) = (alnum(), format!("{UPPER}234567"));
    let word = format!("{alnum}_-");
    let listed: &[(&str, &str, usize)] = &[
        ("AKIA", &capitals, 16),
        ("ASIA", &capitals, 16),
        ("ghp_", &alnum, 36),
        ("gho_", &alnum, 36),
        ("ghs_", &alnum, 36),
        ("github_pat_11ABCDEFG0", &alnum, 59),
        ("glpat-", &word, 20),
        ("xoxb-1234567890-1234567890123-", &alnum, 24),
        ("xoxp-2345678901-", &alnum, 30),
        ("sk_live_", &alnum, 24),
        ("rk_live_", &alnum, 24),
        ("whsec_", &alnum, 32),
        ("sk-", &alnum, 48),
        ("sk-proj-", &word, 64),
        ("sk-ant-api03-", &word, 93),
        ("AIza", &word, 35),
        ("ya29.a0", &word, 60),
        ("GOCSPX-", &word, 28),
        ("npm_", &alnum, 36),
        ("pypi-AgEIcHlwaS5vcmcC", &word, 70),
        ("dop_v1_", HEX, 64),
        ("hf_", &alnum, 34),
        ("SK", HEX, 32),
        ("dckr_pat_", &word, 27),
        ("shpat_", HEX, 32),
        ("hvs.", &alnum, 24),
        ("dapi", HEX, 32),
        ("glsa_", &alnum, 32),
        ("tskey-auth-", &alnum, 30),
        ("gsk_", &alnum, 52),
    ];
    let mut tokens: Vec<String> = listed
        .iter()
        .map(|(start, alphabet, length)| format!("{start}{}x7", dice.of(alphabet, length - 2)))
        .collect();
    for token in &mut tokens {
        // Tokens of capitals or hexadecimal digits end in what their alphabet has.
        if token.starts_with("AKIA") || token.starts_with("ASIA") {
            token.replace_range(token.len() - 2.., "Q7");
        } else if ["dop_", "SK", "shpat_", "dapi"].iter().any(|start| token.starts_with(start)) {
            token.replace_range(token.len() - 2.., "a7");
        }
    }
    tokens
        .push(format!("SG.{}.{}", dice.of(&alnum, 22), dice.of(&word, 43)).trim_end_matches('-').to_owned());
    tokens.push(format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", dice.of(&alnum, 40), dice.of(&alnum, 43)));
    tokens
}

/// What people choose as passwords, and what password managers do.
pub(crate) fn passwords(dice: &mut Dice) -> Vec<String> {
    let alnum = alnum();
    let signs = format!("{alnum}!@%^*+=~?");
    let mut passwords: Vec<String> = (0..6).map(|_| format!("{}9", dice.of(&alnum, 15))).collect();
    passwords.extend((0..6).map(|_| format!("k{}4", dice.of(&signs, 18))));
    passwords.push(format!("Tr0ub4dor{}", dice.of("0123456789", 3)));
    passwords.push(format!("hunter{}", dice.of("23456789", 2)));
    passwords.push(format!("{}7{}", dice.of(HEX, 20), dice.of(HEX, 20)));
    passwords.push(dice.of(LOWER, 12));
    passwords
}

/// Places in which any token stands.
pub(crate) const TOKEN_PLACES: &[&str] = &[
    "curl https://api.example.com/v1/me -d @body {}",
    "curl -H 'Authorization: Bearer {}' https://api.example.com",
    "export SOMETHING={}",
    "git clone https://{}@github.com/acme/app.git",
    "git remote set-url origin https://x-access-token:{}@github.com/acme/app.git",
    "echo {} | gh auth login --with-token",
    "{\"headers\":{\"x-thing\":\"{}\"}}",
    "config:\n  thing: {}\n  other: 1\n",
    "const client = new Client('{}');",
    "https://api.example.com/v1?a=1&access_token={}&b=2",
    "client = Client(\"{}\")  # temporary",
    "docker run -e THING={} image",
    "bash -c \"THING='{}' ./run\"",
    "{\\\"k\\\":\\\"{}\\\"}",
    "| name | {} |",
    "first line\n{}\nlast line",
];

/// Places that say that what stands in them is a password.
pub(crate) const PASSWORD_PLACES: &[&str] = &[
    "PASSWORD={} ./run",
    "export DB_PASSWORD='{}'",
    "export DB_PASSWORD=\"{}\"",
    "PGPASSWORD='{}' psql -h db -U app -c 'select 1'",
    "mysql -u root -p'{}' -e 'show tables'",
    "mysqldump --password='{}' db > dump.sql",
    "sshpass -p '{}' ssh host",
    "curl -u 'admin:{}' https://example.com",
    "curl --user \"admin:{}\" https://example.com",
    "{\"user\":\"a\",\"password\":\"{}\"}",
    "curl -d '{\"user\":\"a\",\"password\":\"{}\"}' https://example.com",
    "curl -d \"{\\\"password\\\":\\\"{}\\\"}\" https://example.com",
    "database:\n  user: app\n  password: \"{}\"\n",
    "[db]\npassword = \"{}\"\n",
    "let password = \"{}\";",
    "password = '{}'",
    "const dbPassword: string = '{}';",
    "conn = connect(host='h', password='{}')",
    "Server=db;Database=x;User Id=sa;Password={};Encrypt=true",
    "<password>{}</password>",
    "tool --password '{}' --user x",
    "tool --db-password='{}'",
    "env:\n  - name: DB_PASSWORD\n    value: \"{}\"\n",
    "echo '{}' | docker login -u me --password-stdin",
    "echo '{}' | sudo -S apt-get update",
    "echo 'bob:{}' | chpasswd",
    "docker login -u me -p '{}' registry.example.com",
    "redis-cli -a '{}' ping",
    "kubectl create secret generic db --from-literal=anything='{}'",
    "$password = '{}';",
    "os.environ[\"DB_PASSWORD\"] = \"{}\"",
    "define('DB_PASSWORD', '{}');",
    "machine example.com\n  login bob\n  password {}\n",
    "psql \"host=db user=app password={}\"",
    "client_secret: '{}'",
    "SSHPASS='{}' sshpass -e ssh host",
    "requests.get(url, auth=('bob', '{}'))",
    "#define WIFI_PASSWORD \"{}\"",
    "read -r DB_PASSWORD <<< '{}'",
    "password <- \"{}\"",
    "DB_PASSWORD = os.getenv('DB_PASSWORD', '{}')",
    "openssl rsa -passin 'pass:{}' -in key.pem",
    "htpasswd -bc file bob '{}'",
    "java -Dspring.datasource.password='{}' -jar app.jar",
];

/// Places for passwords without signs that an address would need to escape.
pub(crate) const ADDRESS_PLACES: &[&str] = &[
    "DATABASE_URL=postgres://app:{}@db.internal:5432/app npm start",
    "mongosh \"mongodb+srv://app:{}@cluster.example.net/x\"",
    "redis://:{}@cache:6379/0",
    "{\"url\":\"amqps://svc:{}@mq/vhost\"}",
    "https://bob:{}@example.com/repo.git",
    "dsn := \"root:{}@tcp(127.0.0.1:3306)/db\"",
];

/// Places for keys whose name says so.
pub(crate) const KEY_PLACES: &[&str] = &[
    "aws configure set aws_secret_access_key {}",
    "AWS_SECRET_ACCESS_KEY={} aws s3 ls",
    "curl -H 'X-Api-Key: {}' https://example.com",
    "curl -H \"api-key: {}\" https://example.com",
    "api_key: {}\n",
    "{\"apiKey\": \"{}\"}",
    "AccountName=x;AccountKey={};EndpointSuffix=core.windows.net",
    "const API_KEY = \"{}\";",
    "https://maps.example.com/?api_key={}&q=1",
    "//registry.npmjs.org/:_authToken={}",
    "curl -b 'session={}' https://example.com",
    "curl -H 'Cookie: sid={}; theme=dark' https://example.com",
    "Set-Cookie: session={}; HttpOnly",
    "--header \"Authorization: token {}\"",
    "headers = {\"Authorization\": \"Bearer {}\"}",
    "Write /p/.env: PORT=80\nTHING={}\n",
    "tool --token {} run",
    "tool --api-key={} run",
    "TWILIO_AUTH_TOKEN={}",
    "fetch(url, { headers: { Authorization: `Bearer {}` } })",
    "vault write auth/approle/login role_id=x secret_id={}",
    "ENV API_KEY {}",
    "curl https://hooks.slack.com/services/T00000000/B00000000/{}",
    "{\"auths\":{\"registry\":{\"auth\":\"{}\"}}}",
];

/// Random keys without any beginning of their own.
pub(crate) fn keys(dice: &mut Dice) -> Vec<String> {
    let alnum = alnum();
    let base64 = format!("{alnum}+/");
    let mut keys: Vec<String> = (0..4).map(|_| format!("wJ4{}", dice.of(&alnum, 37))).collect();
    keys.extend((0..4).map(|_| format!("q7{}K", dice.of(&base64, 37))));
    keys.extend((0..4).map(|_| format!("{}a1", dice.of(HEX, 30))));
    keys
}

/// A private key as files hold it.
pub(crate) fn private_key(dice: &mut Dice) -> (String, String) {
    let lines: Vec<String> = (0..6).map(|_| dice.of(&format!("{}+/", alnum()), 64)).collect();
    let body = format!("{}\n{}==", lines.join("\n"), dice.of(&alnum(), 10));
    (format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----"), body)
}

/// The same token, written in pieces.
pub(crate) fn in_pieces(token: &str, dice: &mut Dice) -> String {
    let cut = 2 + dice.below(token.len() - 4);
    let (first, second) = token.split_at(cut);
    match dice.below(5) {
        0 => format!("'{first}''{second}'"),
        1 => format!("\"{first}\"\"{second}\""),
        2 => format!("{first}'{second}'"),
        3 => format!("\"{first}\" + \"{second}\""),
        _ => format!("'{first}'\"{second}\""),
    }
}
