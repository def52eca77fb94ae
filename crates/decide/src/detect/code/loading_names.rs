//! Names of what inline code loads or calls to reach other machines, run programs or take things away. All in lower case.

/// Modules of Python that do more than reckon with what the project has.
pub(super) const PYTHON: &[&str] = words!(
    "requests urllib3 pycurl imaplib poplib nntplib xmlrpc webbrowser grpc zmq fabric asyncssh telethon \
     telegram discord slack_sdk twilio sendgrid tweepy openai anthropic litellm cohere google.cloud \
     googleapiclient gspread azure botocore s3fs gcsfs fsspec minio kubernetes docker github gitlab jira \
     dns scapy websockets httplib2 mechanize selenium playwright gdown wget snowflake ldap ldap3 \
     elasticsearch opensearchpy neo4j pika kafka nats paho hvac pexpect plumbum cffi dill shelve \
     cloudpickle logging.handlers posix invoke pip twine ansible_runner awscli pyngrok browser_cookie3 \
     secretstorage win32crypt netrc pyperclip kaggle dropbox pwn b2sdk pydrive2"
);

/// Modules of Node and its kin.
pub(super) const NODE: &[&str] = words!(
    "http https http2 net tls dgram dns undici got ky needle request node-fetch cross-fetch superagent ws \
     ssh2 nodemailer openai @anthropic-ai @octokit @google-cloud @slack kafkajs amqplib mqtt puppeteer \
     playwright worker_threads module repl inspector localtunnel ngrok @ngrok/ngrok fkill npm \
     libnpmpublish clipboardy keytar dropbox"
);

/// Words of Python that act wherever they occur.
pub(super) const OF_PYTHON: &[&str] = phrases!(
    "http import client|open_connection|create_connection|create_subprocess|get_server_certificate|\
     code.interact|exec(|map(eval|map(exec|urllib import parse, request|import request|\
     from os import system|from os import *|from shutil import *|pdb.run|os.startfile|unsafe_load|\
     executescript|dotenv_values as|vars(os)|os.__dict__|import shutil as|alembic.command|\
     alembic import command|alembic.config import main|upload_folder(|upload_file(|files_upload(|\
     trust_remote_code=true|trust_repo=true|hub.load(|share=true|host='0.0.0.0'|host=\"0.0.0.0\""
);

/// The same of JavaScript.
pub(super) const OF_NODE: &[&str] = phrases!(
    "eventsource(|xmlhttprequest(|sendbeacon(|getbuiltinmodule|=require;|= require;|tls.connect|\
     http2.connect|(require(\"dotenv\")|(require('dotenv')|=global|= global|[\"fetch\"|['fetch'|\
     bun.connect|process.dlopen|process.report|eval)|settimeout(\"|settimeout('|setinterval(\"|\
     setinterval('|fetch(|[fetch|: fetch|=fetch|= fetch|(fetch"
);

/// Names of functions and libraries of the other languages, as whole words.
pub(super) const WORDS: &[&str] = words!(
    "system system2 exec syscall kill rename dofile fileutils httparty faraday excon httpclient typhoeus \
     mechanize resolv lwp mojo httpc gen_tcp httpoison finch tesla gethostbyname dns_get_record \
     call_user_func phpinfo restclient open3 irb chmod symlink readpipe soapclient"
);

/// Parts of the other languages that act wherever they occur.
pub(super) const PARTS: &[&str] = phrases!(
    "php://|net::|net/|http::|file::copy|ssl.https|download|url(|req.|mail(|system.cmd|system.shell|os.cmd|\
     file.rm|code.eval|port.open|binding.|shell(|load \"|load '|do \"|do '|)(\"|&{\"|)('"
);
