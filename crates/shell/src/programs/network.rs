//! Programs that fetch from the web.

use super::network_checks as check;
use super::network_checks::SENDS;
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

pub(super) const TABLE: &[Spec] = &[
    Spec::new("curl", Effects::NETWORK_READ)
        .style(Style::Gnu)
        .options(
            "-afgGiIjJklLNpqRsSvZ012346B: -O!writes -n!sends-data -MVh!help -oDc= -d= \
             -F=!network-write!sends-data -T=read!network-write!sends-data -XHAebuUwmrCyYzQ= \
             -tPx=!network-write \
             -K=read!executes!unknown -E=read!sends-data \
             --abstract-unix-socket=!network-write --alt-svc=write --anyauth --append --aws-sigv4= --basic \
             --ca-native \
             --cacert=read --capath=read --cert=read!sends-data --cert-status --cert-type= --ciphers= \
             --compressed \
             --compressed-ssh --config=read!executes!unknown --connect-timeout= --connect-to= \
             --continue-at= --cookie= --cookie-jar= --create-dirs --create-file-mode= --crlf \
             --crlfile=read \
             --curves= --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= \
             --delegation=!sends-data \
             --digest --disable --disable-eprt --disable-epsv --disallow-username-in-url \
             --dns-interface=!network-write --dns-ipv4-addr=!network-write --dns-ipv6-addr=!network-write \
             --dns-servers= --doh-cert-status --doh-insecure --doh-url=url --dump-ca-embed \
             --dump-header= --ech= --egd-file=read --engine=!executes --etag-compare=read!sends-data \
             --etag-save=write --expect100-timeout= --fail --fail-early --fail-with-body --false-start \
             --follow \
             --form=!network-write!sends-data --form-escape --form-string=!network-write!sends-data \
             --ftp-account= \
             --ftp-alternative-to-user=!network-write --ftp-create-dirs!network-write --ftp-method= --ftp-pasv \
             --ftp-port=!network-write --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-ccc-mode= \
             --ftp-ssl-control --get --globoff --happy-eyeballs-timeout-ms= --haproxy-clientip= \
             --haproxy-protocol \
             --head --header= --help!help --hostpubmd5= --hostpubsha256= --hsts=write --http0.9 --http1.0 \
             --http1.1 \
             --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length --include --insecure \
             --interface=!network-write --ip-tos= --ipfs-gateway=url --ipv4 --ipv6 \
             --json=!network-write!sends-data \
             --junk-session-cookies --keepalive --keepalive-cnt= --keepalive-time= \
             --key=read!secrets!sends-data \
             --key-type= --krb= --libcurl=write --limit-rate= --list-only --local-port= --location \
             --location-trusted --login-options= --mail-auth=!network-write!sends-data \
             --mail-from=!network-write!sends-data --mail-rcpt=!network-write!sends-data \
             --mail-rcpt-allowfails \
             --manual!help --max-filesize= --max-redirs= --max-time= --metalink!unknown --mptcp \
             --negotiate!sends-data --netrc!sends-data --netrc-file=read!secrets!sends-data \
             --netrc-optional!sends-data --next --no-alpn --no-basic --no-buffer --no-clobber --no-compressed \
             --no-fail --no-include --no-keepalive --no-location --no-npn --no-progress-meter --no-sessionid \
             --no-show-error --no-silent --no-verbose --noproxy= --ntlm --ntlm-wb!executes --oauth2-bearer= \
             --out-null --output= --output-dir= --parallel --parallel-immediate --parallel-max= \
             --parallel-max-host= --pass= --path-as-is --pinnedpubkey= --post301 --post302 --post303 \
             --preproxy=!network-write --progress-bar --progress-meter --proto= --proto-default= \
             --proto-redir= \
             --proxy=!network-write --proxy-anyauth --proxy-basic --proxy-ca-native --proxy-cacert=read \
             --proxy-capath=read --proxy-cert=read!sends-data --proxy-cert-type= --proxy-ciphers= \
             --proxy-crlfile=read --proxy-digest --proxy-header= --proxy-http2 --proxy-insecure \
             --proxy-key=read!secrets!sends-data --proxy-key-type= --proxy-negotiate!sends-data --proxy-ntlm \
             --proxy-pass= --proxy-pinnedpubkey= --proxy-service-name= --proxy-ssl-allow-beast \
             --proxy-ssl-auto-client-cert!sends-data --proxy-tls13-ciphers= --proxy-tlsauthtype= \
             --proxy-tlspassword= --proxy-tlsuser= --proxy-tlsv1 --proxy-user= --proxy1.0=!network-write \
             --proxytunnel --pubkey=read --quote= --random-file=read --range= --rate= --raw --referer= \
             --remote-header-name --remote-name!writes --remote-name-all!writes --remote-time \
             --remove-on-error \
             --request= --request-target= --resolve= --retry= --retry-all-errors \
             --retry-connrefused --retry-delay= --retry-max-time= --sasl-authzid= --sasl-ir --service-name= \
             --show-error --show-headers --sigalgs= --silent --skip-existing --socks4=!network-write \
             --socks4a=!network-write --socks5=!network-write --socks5-basic --socks5-gssapi \
             --socks5-gssapi-nec --socks5-gssapi-service= --socks5-hostname=!network-write --speed-limit= \
             --speed-time= --ssl --ssl-allow-beast --ssl-auto-client-cert!sends-data --ssl-no-revoke \
             --ssl-reqd \
             --ssl-revoke-best-effort --ssl-sessions=write --sslv2 --sslv3 --stderr= --styled-output \
             --suppress-connect-headers --tcp-fastopen --tcp-nodelay --telnet-option=!network-write \
             --tftp-blksize= --tftp-no-options --time-cond= --tls-earlydata --tls-max= --tls13-ciphers= \
             --tlsauthtype= --tlspassword= --tlsuser= --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 \
             --tr-encoding --trace= --trace-ascii= --trace-config= --trace-ids --trace-time \
             --unix-socket=!network-write --upload-file=read!network-write!sends-data --upload-flags= \
             --url=url \
             --url-query= --use-ascii --user= --user-agent= --variable=!sends-data --verbose --version!help \
             --vlan-priority= --write-out= --xattr",
        )
        .operands(Operands::Url)
        .check(check::curl)
        .examples(&[
            ("curl https://example.com/a", "network-read"),
            ("curl -fsSL -H 'Accept: text/html' -w '%{http_code}' https://example.com", "network-read"),
            ("curl -s -o /dev/null -I https://example.com", "network-read"),
            ("curl -X OPTIONS https://example.com", "network-read"),
            ("curl -XPOST https://example.com", "network-read network-write"),
            ("curl -X GET -X DELETE https://example.com", "network-read network-write"),
            ("curl -d a=b https://example.com", "network-read network-write sends-data"),
            ("curl -G -d a=b https://example.com", "network-read"),
            ("curl -G -d @f https://example.com", "network-read sends-data reads"),
            ("curl -d a=b https://example.com --next -G https://example.com", "network-read network-write sends-data"),
            ("curl --data-urlencode q@f -G https://example.com", "network-read sends-data reads"),
            ("curl -F f=@x https://example.com", "network-read network-write sends-data"),
            ("curl -T x https://example.com", "network-read network-write sends-data reads"),
            ("curl --json '{}' https://example.com", "network-read network-write sends-data"),
            ("curl -H @f https://example.com", "network-read sends-data reads"),
            ("curl -H 'X-HTTP-Method-Override: DELETE' https://example.com", "network-read network-write"),
            ("curl -b a=b https://example.com", "network-read"),
            ("curl -b jar https://example.com", "network-read sends-data reads"),
            ("curl -u me:pw https://example.com", "network-read"),
            ("curl -n https://example.com", "network-read sends-data"),
            ("curl -o x https://example.com", "network-read writes"),
            ("curl -o - -D - https://example.com", "network-read"),
            ("curl --dump-h x https://example.com", "network-read writes"),
            ("curl -c jar https://example.com", "network-read writes"),
            ("curl --stderr - --trace-ascii x https://example.com", "network-read writes"),
            ("curl 'file:///etc/sh%61dow'", "network-read network-write"),
            ("curl http://169.254.169.0xfe/latest/", "network-read network-write"),
            ("curl -OL https://example.com/x", "network-read writes"),
            ("curl -w '%output{x}%{http_code}' https://example.com", "network-read writes"),
            ("curl -w @f https://example.com", "network-read reads unknown"),
            ("curl -K f https://example.com", "network-read reads executes unknown"),
            ("curl -x proxy:8080 https://example.com", "network-read network-write"),
            ("curl -Q 'CWD /a' ftp://example.com", "network-read"),
            ("curl -Q 'DELE a' ftp://example.com", "network-read network-write"),
            ("curl http://localhost:3000/", "network-read network-write"),
            ("curl 'https://example.com/[1-9]'", "network-read unknown"),
            ("curl -g 'https://example.com/[1-9]'", "network-read"),
            ("curl --foo https://example.com", "network-read unknown"),
            ("curl -V", "reads"),
        ]),
    Spec::new("wget wget2", Effects::NETWORK_READ)
        .style(Style::Gnu)
        .options(
            "-cdFqSv46EHL -Vh!help -b!writes -NxkKmpr!writes -n= -e=!executes -o=write -a=write \
                -i=read!sends-data \
             -B=url -tOTwQPUlARDIX= \
             --accept= --accept-regex= --adjust-extension --append-output=write --ask-password \
             --auth-no-challenge \
             --background!writes --backup-converted!writes --backups=?!writes --base=url --bind-address= \
             --body-data=!network-write!sends-data --body-file=read!network-write!sends-data \
             --ca-certificate=read \
             --ca-directory=read --certificate=read!sends-data --certificate-type= --ciphers= --compression= \
             --config=read!executes --connect-timeout= --content-disposition --content-on-error --continue \
             --convert-file-only!writes --convert-links!writes --crl-file=read --cut-dirs= --debug \
             --default-page= \
             --delete-after!writes --directories --directory-prefix= --dns-timeout= --domains= \
             --exclude-directories= --exclude-domains= --execute=!executes --follow-ftp --follow-tags= \
             --force-directories!writes --force-html --ftp-password= --ftp-user= --ftps-clear-data-connection \
             --ftps-fallback-to-ftp --ftps-implicit --ftps-resume-ssl --header= --help!help --hsts \
             --hsts-file=write --http-password= --http-passwd= --http-user= --https-only --ignore-case \
             --ignore-length --ignore-tags= --include-directories= --inet4-only --inet6-only \
             --input-file=read!sends-data --keep-session-cookies --level= --limit-rate= \
             --load-cookies=read!sends-data --local-encoding= --max-redirect= --method= --mirror!writes \
             --no-cache \
             --no-check-certificate --no-clobber --no-config --no-cookies --no-directories --no-dns-cache \
             --no-glob \
             --no-host-directories --no-hsts --no-http-keep-alive --no-if-modified-since --no-iri --no-netrc \
             --no-parent --no-passive-ftp --no-proxy --no-remove-listing --no-use-server-timestamps \
             --no-verbose \
             --no-warc-compression --no-warc-digests --no-warc-keep-log --output-document= --output-file=write \
             --page-requisites!writes --password= --pinnedpubkey= --post-data=!network-write!sends-data \
             --post-file=read!network-write!sends-data --prefer-family= --preserve-permissions \
             --private-key=read!secrets!sends-data --private-key-type= --progress= --protocol-directories \
             --proxy-password= --proxy-user= --quiet --quota= --random-wait --read-timeout= --recursive!writes \
             --referer= --regex-type= --reject= --reject-regex= --rejected-log=write --relative \
             --remote-encoding= \
             --report-speed= --restrict-file-names= --retr-symlinks --retry-connrefused --retry-on-http-error= \
             --save-cookies=write --save-headers --secure-protocol= --server-response --show-progress \
             --span-hosts \
             --spider --start-pos= --strict-comments --timeout= --timestamping!writes --tries= \
             --trust-server-names --unlink!deletes --use-askpass=exec --user= --user-agent= --verbose \
             --version!help \
             --wait= --waitretry= --warc-cdx!writes --warc-dedup=read --warc-file=write --warc-header= \
             --warc-max-size= --warc-tempdir=write --xattr!writes",
        )
        .operands(Operands::Url)
        .check(check::wget)
        .examples(&[
            ("wget --spider https://example.com", "network-read"),
            ("wget -qO- https://example.com", "network-read"),
            ("wget -O - https://example.com", "network-read"),
            ("wget https://example.com", "network-read writes"),
            ("wget -nv https://example.com", "network-read writes"),
            ("wget -O x https://example.com", "network-read writes"),
            ("wget -O - -O x https://example.com", "network-read writes"),
            ("wget -r -O - https://example.com", "network-read writes"),
            ("wget -O - --method=DELETE https://example.com", "network-read network-write"),
            ("wget -O - --post-data=x https://example.com", "network-read network-write sends-data"),
            ("wget -O - -i list", "network-read reads sends-data"),
            ("wget -O - -e use_askpass=x https://example.com", "network-read executes"),
            ("wget -O - --use-askpass=x https://example.com", "network-read executes"),
            ("wget --help", "reads"),
        ]),
    Spec::new("http https xh xhs", Effects::NETWORK_READ)
        .options(
            "-vhbFSIjfq4 -d!writes -psPAa= -o=write --verbose --headers --body --meta --follow --stream \
                --ignore-stdin \
             --check-status --json --form --multipart --quiet --download!writes --continue!writes --offline \
             --all \
             --unsorted --sorted --print= --pretty= --style= --format-options= --response-charset= \
             --response-mime= \
             --history-print= --max-redirects= --max-headers= --timeout= --verify= --ssl= --ciphers= --auth= \
             --auth-type= --output=write --cert=read!sends-data --cert-key=read!secrets!sends-data \
             --proxy=!network-write --raw=!network-write!sends-data --session=write!sends-data \
             --session-read-only=read!sends-data --path-as-is --chunked --compress --ipv4 --ipv6 --curl \
             --http-version= \
             --default-scheme= --no-stream --no-verify --native-tls --bearer= --resolve=!network-write",
        )
        .operands(Operands::Text)
        .check(check::httpie)
        .examples(&[
            ("http -I https://example.com/a", "network-read"),
            ("http https://example.com/a", "network-read sends-data"),
            ("http --ignore-stdin GET https://example.com/a q==1 Accept:text/html", "network-read"),
            ("https -Iv example.com", "network-read"),
            ("http https://example.com a=b", "network-read network-write sends-data"),
            ("http -I DELETE https://example.com", "network-read network-write"),
            ("http -I --download https://example.com", "network-read writes"),
            ("http https://example.com a@file", "network-read network-write sends-data"),
            ("http -I :3000/a", "network-read network-write"),
        ]),
    Spec::new("httpstat", Effects::NETWORK_READ)
        .operands(Operands::Url)
        .examples(&[("httpstat https://example.com", "network-read"), ("httpstat --foo x.com", "network-read unknown")]),
    Spec::new("lftp", Effects::NETWORK_READ.and(Effects::WRITES))
        .options("-d -c=!executes -e=!executes -f=read!executes -pu= --norc --rcfile=read!executes")
        .operands(Operands::Text)
        .check(check::transfers)
        .examples(&[
            ("lftp -c 'open ftp://example.com; put x'", "network-read writes executes network-write sends-data"),
            ("lftp ftp://example.com", "network-read writes"),
        ]),
    Spec::new("aria2c axel lftpget puf saldl", Effects::NETWORK_READ.and(Effects::WRITES))
        .options("-cqV -xsjdkon= --on-download-complete=exec --on-download-start=exec --*")
        .operands(Operands::Text)
        .examples(&[
            ("aria2c https://example.com/x", "network-read writes"),
            ("aria2c --on-download-complete=x https://example.com/x", "network-read writes executes"),
        ]),
    Spec::new("yt-dlp youtube-dl gallery-dl", Effects::NETWORK_READ.and(Effects::WRITES))
        .options(
            "-qvisFgeJj -foPaS= --exec=exec --cookies=read!sends-data \
                --cookies-from-browser=!secrets!sends-data \
             --simulate --skip-download --list-formats --dump-json --get-url --get-title --extract-audio \
             --audio-format= --audio-quality= --format= --output= --no-playlist --yes-playlist --write-sub \
             --write-auto-sub --sub-lang= --config-location=read!executes",
        )
        .operands(Operands::Url)
        .examples(&[
            ("yt-dlp https://example.com/v", "network-read writes"),
            ("yt-dlp --exec x https://example.com/v", "network-read writes executes"),
        ]),
    Spec::new("lynx w3m links elinks links2 browsh", Effects::NETWORK_READ)
        .style(Style::SingleDash)
        .options(
            "-dump -listonly -nolist -source -T= -cols= -width= -nonumbers -image_links -head -mime_header \
             -display_charset= -assume_charset= -dump-width= -dump-charset= -no-numbering -no-references",
        )
        .operands(Operands::Url)
        .check(check::text_browser)
        .examples(&[
            ("lynx -dump https://example.com", "network-read"),
            ("lynx https://example.com", "network-read executes"),
            ("lynx -dump -cmd_script=x https://example.com", "network-read unknown"),
        ]),
    Spec::new("websocat wscat", SENDS.and(Effects::NETWORK_READ))
        .options("-nvqEkt1 -Hcx= --exit-on-eof --no-close")
        .operands(Operands::Text)
        .check(check::websocket)
        .examples(&[
            ("websocat wss://example.com", "network-read network-write sends-data"),
            ("websocat -s 8080", "network-read network-write sends-data unknown"),
            ("websocat wss://example.com exec:sh", "network-read network-write sends-data executes"),
        ]),
    Spec::new("grpcurl", SENDS.and(Effects::NETWORK_READ))
        .style(Style::SingleDash)
        .options(
            "-plaintext -insecure -v -vv -emit-defaults -format= -max-time= -connect-timeout= -authority= \
             -import-path=read -proto=read -protoset=read -cacert=read -cert=read -key=read!secrets -H= -d= \
             -rpc-header= \
             -reflect-header= -servername= -keepalive-time= -max-msg-sz= -use-reflection -protoset-out=write",
        )
        .operands(Operands::Text)
        .examples(&[
            ("grpcurl -d '{}' example.com:443 a.B/C", "network-read network-write sends-data"),
            ("grpcurl -key k.pem example.com:443 a.B/C", "network-read network-write sends-data secrets reads"),
        ]),
    Spec::new("hey ab wrk wrk2 k6 vegeta siege oha bombardier autocannon artillery h2load", SENDS)
        .options("-kqlir -nctdzmTHAaDopPsRwu= --*")
        .operands(Operands::Text)
        .examples(&[
            ("ab -n 10 http://example.com/", "network-write sends-data"),
            ("wrk --latency http://example.com/", "network-write sends-data"),
        ]),
    Spec::new("speedtest speedtest-cli fast", Effects::NETWORK_READ.and(Effects::NETWORK_WRITE))
        .options("--simple --json --csv --list --bytes --secure --single --share")
        .examples(&[("speedtest-cli --simple", "network-read network-write")]),
    Spec::new("localtunnel lt bore frpc frps tailscaled serveo", SENDS.and(Effects::SYSTEM))
        .style(Style::Raw)
        .operands(Operands::Text)
        .examples(&[("localtunnel --port 3000", "network-write sends-data system")]),
];
